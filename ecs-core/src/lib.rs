//! A compile-time Entity-Component-System: the whole world is declared once, and the compiler
//! checks it.
//!
//! From one declaration follow three promises.
//!
//! 1. **What compiles cannot race or deadlock.** An undeclared access, two unordered systems in
//!    conflict, systems that wait for each other, an output that is read before it is there: each is
//!    a compile error at your own token, with the line that mends it.
//! 2. **The same input gives the same bits on any number of threads**, structural changes included. The tests compare
//!    1, 2, 3, 4 and 8 threads. Systems that declare `slice_dependent` or `unordered` are exempt.
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
//! ◀─ refresh: staged work, in order ─ the dead leave ─ spawns ─ matching ──┘
//! ```
//!
//! - The [`Step`] proxy does *critical operations* at once: it spawns, one by one or
//!   [many together](Defer::spawn_batch), despawns, adds and removes components, of one entity or of
//!   [many](Defer::insert_batch), and executes all systems or a [chain](Step::execute_systems_from) of them, any number of times.
//! - A [`Scheduler`](scheduler::Scheduler) runs each system after those that it depends on
//!   (*outer parallelism*), and a [strategy](inner_parallelism) splits one system's entities over
//!   *subtasks* (*inner parallelism*).
//! - A subtask sees the world through its [`Data`] proxy: its own entities, what it may read beside
//!   them, its [`Output`]. Its *effects* (despawn, spawn, insert, remove, deferred functions) are
//!   staged.
//! - The *refresh* ends the step. It applies what was staged in the order (system, subtask, call), spawns
//!   bundle by bundle, and on all threads where there is much of it; it reclaims the dead, whose rows go to the
//!   newborn that no deferred function is to see; and it *subscribes* each system to whom it matches now. A system never sees
//!   its set of entities grow or its rows move while it runs. A world may ask for refreshes
//!   [between systems](#when-changes-show), too.
//!
//! # When changes show
//!
//! What a body *writes* is there at once for every system that runs after it. What it *stages* happens
//! at the refresh: with `staged_changes: after_step`, the default and ECST's rule, at the end of the
//! step. So a system that runs after another one still sees whom that one has despawned, and not yet whom
//! it has spawned. *The Essence of Entity Component System* (chapter 4.4) calls that a *residual
//! conflict*. A world can choose otherwise:
//!
//! - `staged_changes: refresh_before_dependents` refreshes in the middle of an execution, before the
//!   first system that depends on the one with the effect, however remotely, and for which the effect
//!   can make a difference. What can, follows from the signatures: the insertion or removal of `C` for
//!   systems that name `C`, an update of `C` for systems that read or write it, a spawn for systems that would be subscribed to the bundle, a despawn for
//!   systems with entities, a deferred function for all. So the systems fall into
//!   [`Phases`](signature::Phases), which are known when the program is compiled. The results are as
//!   independent of threads as ever: staged work merges in the order (phase, system, subtask, call).
//! - `staged_changes: deny` makes a compile error of each such pair of systems
//!   ([`E0035`](errors::e0035)).
//!
//! ```
//! use ecs_core::{Data, System, World, world};
//!
//! struct Fuel(u32);
//!
//! world! {
//!     world Rockets { staged_changes: refresh_before_dependents }
//!     component Fuel: contiguous_buffer;
//!     resource Aloft;
//!     system Burn { write: [Fuel], despawn }
//!     system Count { read: [Fuel], dependencies: [Burn], write_resources: [Aloft] }
//! }
//!
//! #[derive(Default)]
//! struct Aloft(usize);
//! #[derive(Default)]
//! struct Burn;
//! #[derive(Default)]
//! struct Count;
//!
//! impl System<Rockets> for Burn {
//!     fn process(&self, data: &mut Data<'_, Rockets, Self>) {
//!         let (own, effects) = data.split();
//!         own.for_entities(|rocket| {
//!             rocket.fuel.0 -= 1;
//!             if rocket.fuel.0 == 0 {
//!                 effects.despawn(rocket.entity);
//!             }
//!         });
//!     }
//! }
//!
//! impl System<Rockets> for Count {
//!     fn process(&self, data: &mut Data<'_, Rockets, Self>) {
//!         let count = data.all_entity_count();
//!         data.resource_mut::<Aloft>().0 = count;
//!     }
//! }
//!
//! let mut world = World::<Rockets>::new();
//! world.step(|step| step.spawn_batch((1..=3).map(|n| (Fuel(n),))).map(drop)).unwrap().unwrap();
//! world.step(|step| step.execute_systems().run()).unwrap();
//! assert_eq!(world.resource::<Aloft>().0, 2); // after the step only: 3
//! ```
//!
//! A [sequential system](#sequential-systems) stages nothing: whom it despawns, and what it takes, is gone for
//! every system that runs after it, and a component that it gives is there for whoever looks at it by an
//! optional term or `read_any`. But nobody is *subscribed* before the refresh: newborns, and whoever has come to match
//! a system by what it was given or has lost, are new members like those of staged changes, and so are
//! told by the same three settings.
//!
//! With refreshes in mid-execution, an execution begins with one, too, if anything was done or staged
//! since the last. Outputs and states outlast them; a [`Place`] does not, so what a later phase is to
//! find again is put out as an [`Entity`]. After a panic, what earlier phases have staged has happened.
//!
//! # Sequential systems
//!
//! A system that declares `sequential` runs alone, goes over its entities one by one, and sees what it has done
//! to the ones before: the seq(*s*) of *Core ECS* (section 3.6), whose *roll* looks each match up again at its
//! turn. So there is no need to remember who is used up, dead, or changed already. [`Data::roll`] has an example,
//! and [`Data::roll_pairs`] one of pairs of own entities and members of a [query](#pairs-of-entities).
//!
//! These two and [`Data::now`] are its only ways to entities, as those of other systems hand out many at
//! a time. It has a [phase](signature::Phases) to itself, so all other systems wait; what it costs beyond that is
//! what it does. Where one pass over own entities will do, effects that are staged run on all threads.
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
//! # Pairs of entities
//!
//! Some logic is about several entities at once: what moves, and what it hits. A `query` names the others, and a
//! system that says `queries: [..]` goes over pairs of own entities and members ([`Data::for_pairs`]), or, where
//! the query has an index, over those that have a key in common or lie in the same part of a grid
//! ([`Data::join`]): in an order that follows from the world alone, split over any number of threads. See
//! [`joins`].
//!
//! # Outputs
//!
//! A subtask can fill an [`Output`], which systems downstream read. The outputs of all subtasks, one
//! after the other, are the same [sequence](Sequence) however the system was split, and that is what
//! readers get.
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
//!         let found = data.outputs_of::<Find>();
//!         data.resource_mut::<Weak>().0.extend(found.flatten());
//!     }
//! }
//!
//! let mut world = World::<Ward>::new();
//! world.step(|step| step.spawn_batch((0..20).map(|n| (Life(n),))).map(drop)).unwrap().unwrap();
//! world.step(|step| step.execute_systems().run()).unwrap();
//! assert_eq!(world.resource::<Weak>().0.len(), 10);
//! ```
//!
//! # Snapshots, rollbacks and replays
//!
//! Between steps a world is plain data. [`World::snapshot`] keeps it, [`World::restore`] brings it back,
//! [`World::clone`] makes a second one, and [`World::state_hash`] makes a number of it, which is the same
//! on any threads, under any settings and with any storage strategy. What goes on from there does so bit by
//! bit, ids of new entities included. So two machines in *lockstep* exchange inputs and compare hashes; and a
//! game that guesses inputs goes back to a snapshot when the true ones arrive. A ring of snapshots uses its
//! memory again ([`World::snapshot_into`]).
//!
//! ```
//! use ecs_core::{Data, StateHash, System, World, world};
//!
//! #[derive(Clone, StateHash)]
//! struct Position(f32);
//! #[derive(Clone, Default, StateHash)]
//! struct Wind(f32);
//!
//! world! {
//!     world Sky;
//!     component Position: contiguous_buffer;
//!     resource Wind;
//!     system Drift { write: [Position], read_resources: [Wind] }
//! }
//!
//! #[derive(Default)]
//! struct Drift;
//!
//! impl System<Sky> for Drift {
//!     fn process(&self, data: &mut Data<'_, Sky, Self>) {
//!         let wind = data.resource::<Wind>().0;
//!         data.for_entities(|e| e.position.0 += wind);
//!     }
//! }
//!
//! fn play(world: &mut World<Sky>, wind: f32) -> u64 {
//!     world.resource_mut::<Wind>().0 = wind;
//!     world.step(|step| step.execute_systems().run()).unwrap();
//!     world.state_hash()
//! }
//!
//! let mut world = World::<Sky>::new();
//! world.step(|step| step.spawn((Position(0.0),)).unwrap()).unwrap();
//! let mut elsewhere = world.clone();
//! let before = world.snapshot();
//! let guessed = play(&mut world, 0.5);
//! let truly = play(&mut elsewhere, -0.5);
//! assert_ne!(guessed, truly);
//! world.restore(&before).unwrap();
//! assert_eq!(play(&mut world, -0.5), truly);
//! ```
//!
//! # Where to go on
//!
//! | for | see |
//! | --- | --- |
//! | every item and key of a declaration | [`world!`] |
//! | fixed or dynamic limits, one thread or many | [`settings`], [`Threads`] |
//! | what can be done where | [`proxy`] |
//! | changes at once, in a system | [`Now`](proxy::Now), [`Match`](proxy::Match) |
//! | taking a system's output while it runs | [`Stream`], [`Effects::stream`](proxy::Effects::stream) |
//! | overriding systems for one execution, one by one or many at once, with further data | [`Execution`](proxy::Execution) |
//! | several systems that change one component of different entities at once; double-buffered components | [`Effects::update`](proxy::Effects::update) |
//! | being told who was subscribed, unsubscribed or reclaimed | [`events`] |
//! | loops over whole slices of components | [`Own::for_runs`](proxy::Own::for_runs) |
//! | what is part of a state, and what it takes | [`snapshot`], [`trait@StateHash`] |
//! | pairs of entities: products, joins by key and by grid cell | [`joins`] |
//! | how a system is split | [`inner_parallelism`] |
//! | how systems are ordered | [`scheduler`] |
//! | tests for systems that may depend on order behind the rules' back | [`scheduler::Shuffled`], [`scheduler::assert_orderless`] |
//! | declarations as data, and who validates them | [`signature`] |
//! | a declaration described: tables, the graph as a picture, the critical path | [`description`] |
//! | why it is sound and deterministic, and what is left out on purpose | `ARCHITECTURE.md` |

mod batch;
mod brand;
mod bundle;
pub mod component;
mod deferred;
pub mod description;
mod drops;
mod entity;
mod erased;
pub mod errors;
pub mod events;
pub mod inner_parallelism;
pub mod joins;
mod prefetch;
pub mod proxy;
mod query;
mod refresh;
mod resource;
pub mod scheduler;
mod sealed;
pub mod set;
pub mod settings;
pub mod signature;
pub mod snapshot;
mod sparse_set;
mod state_hash;
pub mod storage;
mod stream;
mod system;
mod world;

pub use bundle::{Bundle, BundleSink};
pub use component::Component;
/// Derives [`StateHash`](trait@StateHash) of the fields, in their order.
pub use ecs_macros::StateHash;
pub use entity::{Entity, LimitReached, Locate, Place, Spawned};
pub use proxy::{Data, Defer, Executor, Step};
pub use query::{Item, Iter, MemberFor, QueryFor, QueryTerms, Run, RunTerms};
pub use scheduler::Threads;
pub use signature::{Declaration, access};
pub use snapshot::{Cloneable, Hashable, Snapshot};
pub use state_hash::{StateHash, StateHasher};
pub use storage::{BLOCK_ROWS, PAGE_ROWS};
pub use stream::{Sender, Stream, Streaming};
pub use system::{Output, Outputs, Sequence, Stage, System};
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
