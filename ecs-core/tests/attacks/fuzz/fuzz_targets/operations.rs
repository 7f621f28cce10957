//! Random programs: `attacks::operations`.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| attacks::operations::run(bytes));
