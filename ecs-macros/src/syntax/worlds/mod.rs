//! The header of a world or a set, its settings, and its composition of sets.

pub(crate) mod compose;
pub(crate) mod set;
pub(crate) mod settings;
pub(crate) mod world;
