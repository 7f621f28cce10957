//! Items that declare systems and their order: systems, queries, states, stages, orders, strategies.

pub(crate) mod order;
pub(crate) mod parallelism;
pub(crate) mod query;
pub(crate) mod stage;
pub(crate) mod state;
pub(crate) mod system;
