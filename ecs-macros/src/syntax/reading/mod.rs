//! How names, lists, parameters and entries are read, and where reading goes on after a fault.

pub(crate) mod entries;
pub(crate) mod lints;
pub(crate) mod list;
pub(crate) mod named;
pub(crate) mod parameters;
pub(crate) mod recover;
pub(crate) mod tokens;
