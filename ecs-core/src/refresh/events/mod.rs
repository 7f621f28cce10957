//! *Refresh events*: which entities were subscribed, unsubscribed and reclaimed (thesis, 12.1).
//!
//! A step can be given functions that a refresh calls for its changes:
//!
//! ```
//! use ecs_core::events::Events;
//! use ecs_core::{Data, System, World, world};
//!
//! struct Position(f32);
//!
//! world! {
//!     world Sea;
//!     component Position;
//!     system Sail { write: [Position], state: Sail { fleet: 0 } }
//! }
//!
//! struct Sail { fleet: usize }
//! # impl System<Sea> for Sail {
//! #     fn process(&self, data: &mut Data<'_, Sea, Self>) { data.own.for_entities(|e| e.position.0 += 1.0); }
//! # }
//!
//! let mut world = World::<Sea>::new();
//! let mut sunk = Vec::new();
//! let ship = world
//!     .step_with(
//!         Events::new()
//!             .on_subscribe::<Sail>(|event| event.system_mut().fleet += 1)
//!             .on_unsubscribe::<Sail>(|event| event.system_mut().fleet -= 1)
//!             .on_reclaim(|event| sunk.push(event.entity())),
//!         |step| step.spawn((Position(0.0),)),
//!     )
//!     .unwrap();
//! assert_eq!(world.system::<Sail>().fleet, 1);
//! # assert_eq!(sunk, []);
//! # let _ = ship;
//! ```
//!
//! # When, and in which order
//!
//! The functions are called on the thread that steps, when the refresh is otherwise complete:
//! 1. `on_unsubscribe`, system by system in the order of declaration, for each in ascending order of
//!    rows;
//! 2. `on_reclaim`, in ascending order of rows;
//! 3. `on_subscribe`, in the order of 1.
//!
//! The rows are those before gaps are closed, so the order is that in which systems have last visited the
//! entities. It is the same on any number of threads. The functions report the difference
//! between two refreshes: an entity that loses a component and gets it again in between is neither
//! unsubscribed nor subscribed, nor is one that moves to another row. An entity that is spawned and despawned
//! between two refreshes is reclaimed, without having been subscribed. Despawned entities are gone when the functions
//! are called: their handles can only be compared.
//!
//! With `staged_changes: refresh_before_dependents`, each refresh within a step calls the functions for the
//! changes since the last one, before the systems of the next phase run. So these systems see what the
//! functions do to states, resources and components.
//!
//! Only steps that are given functions call any. Changes in other steps are not reported later. Several
//! functions for one event are called in the order in which they were given.
//!
//! # What it costs
//!
//! Without functions, one comparison per step and per refresh. With functions, the systems that have any are matched
//! a second time, on one thread, where something has changed. In steady state nothing is allocated.
//!
//! # Panics
//!
//! After a function has panicked, no further one is called in this refresh. The refresh was complete before, and
//! the panic is passed to the caller of the step, unless an earlier one is being passed already. After a
//! panic of a system or of the step's closure, the following refresh calls the functions as usual.

mod event;
mod handlers;
mod log;

pub use event::{Event, Happened, Kind};
pub use handlers::Events;
#[doc(hidden)]
pub use handlers::{Handlers, On};
pub(crate) use handlers::{Handling, reborrow};
