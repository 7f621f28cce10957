//! Components, resources, states, and what shows them: bundles and indices of queries.

pub(crate) mod bundle;
pub(crate) mod component;
pub(crate) mod expires;
pub(crate) mod number;
pub(crate) mod query;
pub(crate) mod resource;
pub(crate) mod states;
