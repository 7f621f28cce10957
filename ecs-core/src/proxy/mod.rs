//! *Proxies*: what user code may do at each stage of a step (thesis, chapter 11).
//!
//! - [`Step`]: in the closure of `World::step`; all operations, with immediate effect.
//! - [`Executor`]: around the subtasks of one system.
//! - [`Data`]: in a subtask; the operations that the system's signature declares. [`Now`]: in the subtask of a
//!   sequential system; the same, with immediate effect.
//! - [`Defer`]: in a deferred function, at the refresh; all operations except executing systems.

mod adapters;
mod any_mut;
mod call;
mod data;
mod defer;
mod effects;
mod executor;
mod instance;
mod kernel;
mod now;
pub mod overrides;
mod own;
mod pairs;
mod pump;
mod read_any;
mod step;
mod streams;
mod subscribe;
mod update;

pub(crate) use call::{FindBody, RunBody};
pub(crate) use pump::{Link, ProducerFailed, Pump, Upstream};

pub use adapters::{Adapter, Always, ForInstance, ForSubtasks, Predicate, Targets};
pub use any_mut::AnyMut;
pub use data::Data;
pub use defer::{Dead, Defer};
pub use effects::Effects;
pub use executor::Executor;
pub use instance::SystemInstance;
pub use now::{Match, Now, Pair};
pub use own::{Own, Query};
pub use read_any::ReadAny;
pub use step::{Execution, Starts, Step};
