//! Items that declare data: components, bundles, templates, resources, events, relations, and indices of them.

pub(crate) mod bundle;
pub(crate) mod component;
pub(crate) mod event;
pub(crate) mod index;
pub(crate) mod relation;
pub(crate) mod resource;
pub(crate) mod template;
