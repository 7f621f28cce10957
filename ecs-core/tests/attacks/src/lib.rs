//! Programs that attack the library with safe code only.
//!
//! They swap values and types, implement the library's traits with false results, panics or reentrant calls, and run
//! random programs. `tests/suite` runs all of them; `fuzz` runs the random programs under a fuzzer.
#![forbid(unsafe_code)]

pub mod arena;
pub mod declarations;
pub mod faults;
pub mod operations;
pub mod random;
pub mod saves;
pub mod settings;
pub mod snapshots;
pub mod support;
