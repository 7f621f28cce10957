//! *Refresh events*: who was subscribed, who was unsubscribed, who was reclaimed (thesis, 12.1).
//!
//! A step can be given functions that a refresh calls for what has changed in it:
//!
//! ```
//! use ecs_core::events::Events;
//! use ecs_core::{Data, System, World, world};
//!
//! struct Position(f32);
//!
//! world! {
//!     world Sea;
//!     component Position: contiguous_buffer;
//!     system Sail { write: [Position], state: Sail { fleet: 0 } }
//! }
//!
//! struct Sail { fleet: usize }
//! # impl System<Sea> for Sail {
//! #     fn process(&self, data: &mut Data<'_, Sea, Self>) { data.for_entities(|e| e.position.0 += 1.0); }
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
//!         |step| step.spawn((Position(0.0),)).unwrap(),
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
//! Rows are those before gaps were closed, so the order is that in which systems have last met the
//! entities; like everything, it is the same on any number of threads. What counts is the difference
//! between two refreshes: an entity that loses a component and gets it back in between is neither
//! unsubscribed nor subscribed; nor is one that moves to another row. One that is created and despawned
//! between two refreshes is reclaimed, and was never subscribed. The dead are gone when the functions are
//! called: their handles are good for comparing.
//!
//! With `staged_changes: refresh_before_dependents`, each refresh in mid-step calls the functions for what
//! has happened since the last one, before the systems of the next phase run. So these see what the
//! functions do to states, resources and components.
//!
//! Only steps that are given functions call any: what happens in other steps is told to nobody. Several
//! functions for one event are called in the order in which they were given.
//!
//! # What it costs
//!
//! Without functions, one comparison per step and per refresh. With them, the systems in question are matched
//! a second time, on one thread, where something has changed; in steady state nothing is allocated.
//!
//! # Panics
//!
//! When a function panics, no further one is called in this refresh; the refresh was complete before, and
//! the panic goes on to the caller of the step, unless an earlier one is on its way already. After the
//! panic of a system or of the step's closure, the refresh that follows calls the functions as ever.

mod event;
mod handlers;
mod log;

pub use event::{Event, Happened, Kind};
pub use handlers::{Events, Handlers, On};
pub(crate) use handlers::{Handling, reborrow};
pub(crate) use log::EventLog;
