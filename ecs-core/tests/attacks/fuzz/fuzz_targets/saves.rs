//! Random saves: `attacks::saves`.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| attacks::saves::run(bytes));
