//! The state of a world, except its schedule, and copies of it.

mod conditions;
mod contributions;
mod core;
mod deferred_queue;
mod editing;
mod instance;
mod opaque_debug;
mod outputs;
mod partial;
mod pending;
pub(crate) mod prefab;
mod refresh;
mod resources;
#[cfg(feature = "serde")]
pub mod save;
pub mod snapshot;
mod transitions;

pub use self::core::Defer;
pub(crate) use self::core::{Context, Core, CoreData, ExecuteBody, SystemCode, assert_is};
pub(crate) use conditions::Conditions;
pub(crate) use contributions::{Contributions, Parts};
pub(crate) use deferred_queue::DeferredQueue;
pub(crate) use editing::Editing;
pub(crate) use instance::{
    Along, Demands, Instance, Staged, States, Subscription, SubtaskState, SubtaskWork,
};
pub(crate) use opaque_debug::opaque_debug;
pub use outputs::Outputs;
pub(crate) use partial::{Partial, PartialWork};
pub(crate) use pending::PendingWork;
pub(crate) use refresh::{EventLog, RefreshState};
pub(crate) use resources::Resources;
pub(crate) use transitions::{Transition, Transitions, When, assert_variant};

use crate::signature::{Declaration, StateTypes, WorldState};

impl StateTypes for WorldState {
    type Core<D: Declaration> = Core<D>;
    type Subtask<D: Declaration> = SubtaskWork<D>;
    type Subtasks<D: Declaration> = States<D>;
}
