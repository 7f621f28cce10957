//! Random programs: `attacks::declarations`.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| attacks::declarations::run(bytes));
