//! A compile-time Entity-Component-System: the whole world is declared once, and the compiler
//! checks it.
//!
//! From one declaration follow three promises.
//!
//! 1. **What compiles cannot race or deadlock.** An undeclared access, two unordered systems in
//!    conflict, systems that wait for each other, an output that is read before it is there: each is
//!    a compile error at your own token, with the line that mends it.
//! 2. **The same input gives the same bits on any number of threads**, structural changes included.
//! 3. **Nothing is looked up at run time** that is known at compile time: in steady state a step
//!    hashes nothing and boxes no job.
//!
//! It is modelled on *ECST*, the C++14 library of Vittorio Romeo's thesis (Messina, 2016), and keeps
//! its terms; the documentation names the chapters that it implements. Terms for which Rust has
//! another settled word are found under both in the search.
//!
//! # A world
//!
//! An [`Entity`] is a handle. What it *is* follows from the [components](Component) that it owns:
//! plain values of plain types. [Systems](System) hold the logic: each is called with the entities
//! that have the components which the system's *signature* names.
//!
//! ```
//! use ecs_core::{Data, System, World, world};
//!
//! struct Position(f32);
//! struct Velocity(f32);
//!
//! world! {
//!     world Line {}
//!     component Position: contiguous_buffer;
//!     component Velocity: contiguous_buffer;
//!     system Move { read: [Velocity], write: [Position] }
//! }
//!
//! #[derive(Default)]
//! struct Move;
//!
//! impl System<Line> for Move {
//!     fn process(&self, data: &mut Data<'_, Line, Self>) {
//!         data.for_entities(|e| e.position.0 += e.velocity.0);
//!     }
//! }
//!
//! let mut world = World::<Line>::new();
//! let disc = world.step(|step| step.spawn((Position(1.0), Velocity(0.5)))).unwrap().unwrap();
//! world.step(|step| step.execute_systems().run()).unwrap();
//! assert_eq!(world.get::<Position>(disc).unwrap().0, 1.5);
//! ```
//!
//! The [`world!`] macro turns the declaration into tables of constants ([`signature`]). Bodies stay
//! outside of it, as ordinary methods of ordinary types.
//!
//! # The course of a step
//!
//! All change happens in [`World::step`] (thesis, chapter 8):
//!
//! ```text
//! World::step ── your closure, with a Step proxy ─────────────────────────┐
//!   Step::execute_systems ─▶ scheduler: each system after its dependencies │
//!     system ─▶ subtasks, side by side, each with a Data proxy             │
//! ◀── refresh: deferred work, in a fixed order ─ the dead leave ─ matching ┘
//! ```
//!
//! - The [`Step`] proxy does *critical operations* at once: it spawns, kills, adds and removes, and
//!   executes all systems or a [chain](Step::execute_systems_from) of them, any number of times.
//! - A [`Scheduler`](scheduler::Scheduler) runs each system after those that it depends on
//!   (*outer parallelism*), and a [strategy](inner_parallelism) splits one system's entities over
//!   *subtasks* (*inner parallelism*).
//! - A subtask sees the world through its [`Data`] proxy: its own entities, what it may read beside
//!   them, its [`Output`]. Its *effects* (kill, spawn, insert, remove, deferred functions) are
//!   staged.
//! - The *refresh* ends the step. It applies what was staged in the order (system, subtask, call),
//!   reclaims the dead, and *subscribes* each system to whom it matches now. A system never sees
//!   its set of entities grow or its rows move while it runs.
//!
//! # Rights
//!
//! What a body may do follows from its signature alone, never from settings or threads. `read` and
//! `write` mean *own* entities, those of the subtask. `read_any` reaches one component of every
//! entity, to read. `exclusive` makes one subtask that reaches all of the system's entities
//! ([`Data::pair_mut`]). Another system's state and outputs are reached by `inputs`, which is a
//! dependency too. Each right is a trait in [`access`], so a body that lacks it does not compile:
//!
//! ```compile_fail
//! # use ecs_core::{Data, System, World, world};
//! # struct Position(f32);
//! # #[derive(Default)]
//! # struct Look;
//! world! {
//!     world Line {}
//!     component Position: contiguous_buffer;
//!     system Look { read: [Position] }
//! }
//! impl System<Line> for Look {
//!     fn process(&self, data: &mut Data<'_, Line, Self>) {
//!         // error: the system `Look` does not declare that it writes `Position`
//!         data.query::<&mut Position>().for_each(|position| position.0 = 0.0);
//!     }
//! }
//! ```
//!
//! # Outputs
//!
//! A subtask can fill an [`Output`], which systems downstream read. The outputs of all subtasks, one
//! after the other, are the same sequence however the system was split.
//!
//! ```
//! use ecs_core::{Data, Entity, System, World, world};
//!
//! struct Life(u32);
//!
//! world! {
//!     world Ward {}
//!     component Life: contiguous_buffer;
//!     resource Weak;
//!     system Find { read: [Life], output: Vec<Entity>, parallelism: split_evenly(cores) }
//!     system Note { inputs: [Find], write_resources: [Weak] }
//! }
//!
//! #[derive(Default)]
//! struct Weak(Vec<Entity>);
//! #[derive(Default)]
//! struct Find;
//! #[derive(Default)]
//! struct Note;
//!
//! impl System<Ward> for Find {
//!     fn process(&self, data: &mut Data<'_, Ward, Self>) {
//!         let (own, effects) = data.split();
//!         own.for_entities(|e| {
//!             if e.life.0 < 10 {
//!                 effects.output().push(e.entity);
//!             }
//!         });
//!     }
//! }
//!
//! impl System<Ward> for Note {
//!     fn process(&self, data: &mut Data<'_, Ward, Self>) {
//!         let found = data.previous_outputs::<Find>();
//!         data.resource_mut::<Weak>().0.extend(found.flatten());
//!     }
//! }
//!
//! let mut world = World::<Ward>::new();
//! world
//!     .step(|step| {
//!         for n in 0..20 {
//!             step.spawn((Life(n),)).unwrap();
//!         }
//!     })
//!     .unwrap();
//! world.step(|step| step.execute_systems().run()).unwrap();
//! assert_eq!(world.resource::<Weak>().0.len(), 10);
//! ```
//!
//! # Where to go on
//!
//! | for | see |
//! | --- | --- |
//! | every item and key of a declaration | [`world!`] |
//! | fixed or dynamic limits, one thread or many | [`settings`], [`Threads`] |
//! | what can be done where | [`proxy`] |
//! | overriding a system for one execution, with further data | [`Execution`](proxy::Execution) |
//! | how a system is split | [`inner_parallelism`] |
//! | how systems are ordered | [`scheduler`] |
//! | declarations as data, and who judges them | [`signature`] |
//! | why it is sound and deterministic, and what is left out on purpose | `ARCHITECTURE.md` |

mod bundle;
pub mod component;
mod deferred;
mod entity;
mod erased;
pub mod errors;
pub mod inner_parallelism;
pub mod proxy;
mod query;
mod refresh;
mod resource;
pub mod scheduler;
pub mod set;
pub mod settings;
pub mod signature;
mod sparse_set;
mod storage;
mod system;
mod world;

pub use bundle::{Bundle, BundleSink};
pub use component::Component;
pub use entity::{Entity, LimitReached, Locate, Place};
pub use proxy::{Data, Defer, Executor, Step};
pub use query::{Item, Iter, QueryFor, QueryTerms};
pub use scheduler::Threads;
pub use signature::{Declaration, access};
pub use storage::{BLOCK_ROWS, PAGE_ROWS};
pub use system::{Output, Outputs, System};
pub use world::{StepError, World};

#[doc = include_str!("declaration.md")]
#[macro_export]
macro_rules! world {
    ($($declaration:tt)*) => {
        $crate::signature::declare! { ($crate) $($declaration)* }
    };
}

#[doc = include_str!("set.md")]
#[macro_export]
macro_rules! set {
    ($($declaration:tt)*) => {
        $crate::signature::declare_set! { ($crate) $($declaration)* }
    };
}

/// The README's program, as a test.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
mod readme {}
