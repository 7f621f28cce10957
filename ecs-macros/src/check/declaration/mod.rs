//! Checks of what is declared, item by item: names, bundles, code, storage and numbers.

pub(crate) mod bundles;
pub(crate) mod code;
pub(crate) mod names;
pub(crate) mod settings;
pub(crate) mod storage;
