//! Random programs: `attacks::settings`.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| attacks::settings::run(bytes));
