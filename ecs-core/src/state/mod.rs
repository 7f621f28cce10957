//! The state of a world, except its schedule, and copies of it.

mod context;
mod core;
mod defer;
mod deferred_queue;
mod instance;
mod outputs;
mod refresh;
mod resources;
pub mod snapshot;

pub(crate) use self::core::{Core, CoreData, assert_is};
pub(crate) use context::{Context, RunBody};
pub use defer::Defer;
pub(crate) use deferred_queue::DeferredQueue;
pub(crate) use instance::{Demands, Instance, States, Subscription, SubtaskState};
pub use outputs::Outputs;
pub(crate) use refresh::{EventLog, RefreshState};
pub(crate) use resources::Resources;

use crate::signature::{Declaration, StateTypes, SystemName, WorldState};

impl StateTypes for WorldState {
    type Core<D: Declaration> = Core<D>;
    type Subtask<D: Declaration, N: SystemName<D>> = SubtaskState<D, N>;
    type Subtasks<D: Declaration, N: SystemName<D>> = States<D, N>;
}
