//! *Proxies*: what user code may do at each stage of a step (thesis, chapter 11).
//!
//! - [`Step`]: in the closure of `World::step`; all operations, with immediate effect.
//! - [`Executor`]: around the subtasks of one system.
//! - [`Data`]: in a subtask; the operations that the system's signature declares. [`Now`]: in the subtask of a
//!   sequential system; the same, with immediate effect.
//! - [`Defer`]: in a deferred function, at the refresh; all operations except executing systems.

mod adapters;
mod add;
mod any_mut;
mod call;
mod changed;
mod data;
mod defer;
mod effects;
mod events;
mod execution;
mod executor;
mod for_tuples;
mod instance;
pub(crate) mod joins;
mod kernels;
mod many;
mod messages;
mod opt_in;
pub(crate) mod overrides;
mod own;
mod pairs;
pub(crate) mod query;
mod random;
mod read_any;
mod resources;
mod sequential;
pub(crate) mod stage;
mod step;
mod streams;
pub(crate) mod subtasks;
mod updates;

pub(crate) use call::code;
pub(crate) use for_tuples::for_tuples;
pub(crate) use streams::{ProducerFailed, Pump};

pub use many::{Components, InsertedComponents, RemovedComponents};
pub use messages::Messages;

pub use crate::signature::proxies::{Data, Effects, Executor, Own, Resources};
pub use crate::state::Defer;
pub use adapters::{Adapter, Always, ForInstance, ForSubtasks, Predicate, Targets};
pub use any_mut::AnyMut;
pub use changed::Changed;
pub use defer::NoSuchEntity;
pub use execution::{Execution, Starts};
pub use instance::SystemInstance;
pub use own::Query;
pub use read_any::ReadAny;
pub use resources::WrittenResources;
pub use sequential::{Match, Now, Pair};
pub use step::Step;
