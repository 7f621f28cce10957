//! Random programs: `attacks::snapshots`.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| attacks::snapshots::run(bytes));
