//! Programs that attack the library by safe code alone.
//!
//! What is tried: values and types that change places, implementations of its traits that lie, panic or call back, and
//! random programs. `tests/suite` runs all of it; `fuzz` runs the random programs under a fuzzer.
#![forbid(unsafe_code)]

pub mod arena;
pub mod declarations;
pub mod faults;
pub mod operations;
pub mod random;
pub mod settings;
pub mod snapshots;
pub mod support;
