//! The benchmark programs written by hand, to hold the library against.

#![forbid(unsafe_code)]

pub mod beside;
pub mod bundle;
pub mod by_hand;
pub mod kernel;
