//! The declaration as a whole, and sets of items that several include.

pub(crate) mod declaration;
pub(crate) mod editor;
pub(crate) mod gather;
pub(crate) mod name;
pub(crate) mod set;
pub(crate) mod settings;
pub(crate) mod snapshot;
pub(crate) mod world;
