//! Checks of what systems use beside components: events, queries, relations, states, streams, tracked and expiring
//! components.

pub(crate) mod events;
pub(crate) mod expires;
pub(crate) mod queries;
pub(crate) mod relations;
pub(crate) mod states;
pub(crate) mod streams;
pub(crate) mod tracking;
