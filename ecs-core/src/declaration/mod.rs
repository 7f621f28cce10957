//! Declarations from outside: their errors, their description as data, and their composition of several crates.

pub mod description;
pub mod errors;
pub(crate) mod set;
