//! Checks of one system by itself: its lists, its rights, and what it may do beside them.

pub(crate) mod access;
pub(crate) mod commutative;
pub(crate) mod conditions;
pub(crate) mod effects;
pub(crate) mod rights;
pub(crate) mod sequential;
