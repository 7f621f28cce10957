//! The table: the variance of each public generic type of the library in each of its parameters.

mod parts;
mod proxies;

use super::kinds::{Type, unprobed};

/// Every line.
pub(super) fn types() -> impl Iterator<Item = &'static Type> {
    proxies::TYPES.iter().chain(parts::TYPES)
}

/// For the type of contained values.
const CONTENT: &str = "a value of the type is held, and no more is known of it: what becomes of the container becomes of the value";

/// For the type that the hidden functions of overrides take.
const NAMELESS_CALL: &str = "its module is private, and it is no associated type: no program can write it down, nor be given a `Call`";

/// For the types that only bounds have.
const NO_VALUE: &str = "its module is private, its field too, and no function makes a value: it is only compared with others";
