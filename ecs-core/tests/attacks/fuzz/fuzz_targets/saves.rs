//! Random saves: `attacks::saves`.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../src/saves.rs"]
#[expect(dead_code, reason = "nothing is counted here")]
mod saves;

fuzz_target!(|bytes: &[u8]| saves::run(bytes));
