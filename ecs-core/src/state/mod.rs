//! The state of a world, except its schedule, and copies of it.

mod context;
mod core;
mod defer;
mod deferred_queue;
mod instance;
mod outputs;
mod phase_cell;
mod refresh;
mod resources;
pub mod snapshot;

pub(crate) use self::core::{Core, assert_is};
pub(crate) use context::{Context, Link, RunBody, Upstream};
pub use defer::Defer;
pub(crate) use deferred_queue::DeferredQueue;
pub(crate) use instance::{Demands, Instance, States, Subscription, SubtaskState};
pub use outputs::Outputs;
pub(crate) use phase_cell::PhaseCell;
pub(crate) use refresh::{EventLog, RefreshState};
pub(crate) use resources::Resources;
