//! Systems: signatures, rights, entries, conditions and code.

pub(crate) mod access;
pub(crate) mod accesses;
pub(crate) mod code;
pub(crate) mod condition;
pub(crate) mod entry;
pub(crate) mod parallelism;
pub(crate) mod run_accesses;
pub(crate) mod system;
