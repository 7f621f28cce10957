//! *Proxies*: what user code may do at each stage of a step (thesis, chapter 11).
//!
//! - [`Step`]: in the closure of `World::step`; all operations, with immediate effect.
//! - [`Executor`]: around the subtasks of one system.
//! - [`Data`]: in a subtask; the operations that the system's signature declares. [`Now`]: in the subtask of a
//!   sequential system; the same, with immediate effect.
//! - [`Defer`]: in a deferred function, at the refresh; all operations except executing systems.

pub(crate) mod data;
pub(crate) mod effects;
pub(crate) mod events;
mod for_tuples;
pub(crate) mod query;
mod sequential;
pub(crate) mod step;
mod streams;

pub(crate) use for_tuples::for_tuples;
pub(crate) use step::call::code;
pub(crate) use streams::{ProducerFailed, Pump};

pub use effects::many::{Components, InsertedComponents, RemovedComponents};
pub use events::messages::Messages;

pub use crate::signature::proxies::{Data, Effects, Executor, Own, Resources};
pub use crate::state::Defer;
pub use data::any_mut::AnyMut;
pub use data::changed::Changed;
pub use data::own::Query;
pub use data::read_any::ReadAny;
pub use data::resources::WrittenResources;
pub use effects::defer::NoSuchEntity;
pub use sequential::{Match, Now, Pair};
pub use step::Step;
pub use step::adapters::{Adapter, Always, ForInstance, ForSubtasks, Predicate, Targets};
pub use step::execution::{Execution, Starts};
pub use step::instance::SystemInstance;
