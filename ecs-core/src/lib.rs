//! A compile-time Entity-Component-System: a program declares its whole world once, and the compiler
//! checks the declaration.
//!
//! A declaration gives three guarantees.
//!
//! 1. **What compiles cannot race or deadlock.** An undeclared access, a conflict between two unordered
//!    systems, a cycle of dependencies and an output that is read before it is written are compile errors.
//!    Each error points at your own token and names the line that fixes it.
//! 2. **The same input gives the same bits on any number of threads**, structural changes included. The tests compare
//!    1, 2, 3, 4 and 8 threads. Systems that declare `slice_dependent` or `unordered` are exempt.
//! 3. **Nothing that is known at compile time is looked up at run time.** In steady state a step
//!    hashes nothing and boxes no job.
//!
//! The library is modelled on *ECST*, the C++14 library of Vittorio Romeo's thesis (Messina, 2016), and keeps
//! its terms. The documentation names the chapters that it implements. Where Rust has another established
//! term, the search finds the item under both. *Core ECS* is the calculus of “Exploring the Theory and Practice of
//! Concurrency in the Entity-Component-System Pattern” (Redmond, Castello, Calderón Trilla and Kuper, OOPSLA 2025).
//!
//! # A world
//!
//! An [`Entity`] is a handle. The [components](Component) that an entity owns say what it *is*: they are
//! plain values of plain types. [Systems](System) hold the logic. A system is called with the entities
//! that have the components named by its *signature*.
//!
//! ```
//! use ecs_core::{World, world};
//!
//! struct Position(f32);
//! struct Velocity(f32);
//!
//! world! {
//!     world Line;
//!     component Position, Velocity;
//!     system Move { each: |position: &mut Position, velocity: &Velocity| position.0 += velocity.0 }
//! }
//!
//! let mut world = World::<Line>::new();
//! let disc = world.spawn((Position(1.0), Velocity(0.5)));
//! world.tick()?;
//! assert_eq!(world.get::<Position>(disc).unwrap().0, 1.5);
//! # Ok::<_, ecs_core::StepError>(())
//! ```
//!
//! The [`world!`] macro turns the declaration into tables of constants ([`signature`]). The code of a system
//! stands in the declaration, as a closure or as the path of a function (`each`, `run`). The types of a closure's
//! parameters declare what it reads and writes. Or the system is a type that implements [`System`]; its value is the
//! system's state.
//!
//! # The course of a step
//!
//! Systems run in steps (thesis, chapter 8). [`World::tick`] executes every system once, and [`World::step`] calls
//! your closure. [`World::spawn`], `despawn`, `insert` and `remove` are steps of their own. Between steps, values are
//! written by `get_mut`, `resource_mut` and `system_mut`.
//!
//! ```text
//! World::step ── your closure, with a Step proxy ─────────────────────────┐
//!   Step::execute_systems ─▶ scheduler: each system after its dependencies │
//!     system ─▶ subtasks, side by side, each with a Data proxy             │
//! ◀─ refresh: staged work, in order ─ free rows ─ spawns ─ matching ───────┘
//! ```
//!
//! - The [`Step`] proxy does *critical operations*, which take effect at once. It spawns entities, one by one or
//!   [many together](Defer::spawn_batch); spawns that find no room are an [error](StepError) of the step. It despawns
//!   entities, and adds and removes components, of one entity or of [many](Defer::insert_batch). It executes all
//!   systems, a [chain](Step::execute_systems_from) of them, or [some alone](Step::execute_only), any number of times.
//! - A [`Scheduler`](scheduler::Scheduler) runs each system after those that it depends on
//!   (*outer parallelism*), and a [strategy](inner_parallelism) splits one system's entities over
//!   *subtasks* (*inner parallelism*).
//! - A subtask accesses the world through its [`Data`] proxy, which has three parts: its `own` entities, the `resources`,
//!   and the `effects`, with its [`Output`] and everything else that it may read. *Effects* (despawn, spawn, insert,
//!   remove, update, accumulate, deferred functions) are staged.
//! - The *refresh* ends the step. It applies the staged work in the order (system, subtask, call). It spawns
//!   bundle by bundle, on all threads where there are many spawns. It frees the rows of despawned entities; entities
//!   that no deferred function can observe are spawned after that, into the freed rows. Finally it *subscribes* each
//!   system to the entities that it matches now. While a system runs, its set of entities does not grow and its rows
//!   do not move. A world may also ask for refreshes [between systems](#when-changes-show).
//!
//! # When changes show
//!
//! A value that a body *writes* is visible at once to every system that runs after it. A change that it *stages*
//! happens at the refresh. With `staged_changes: after_step`, the default and ECST's rule, that is at the end of the
//! step: a later system of the step still sees the entities that an earlier one has despawned, and does not yet see
//! those that it has spawned. *The Essence of Entity Component System* (chapter 4.4) calls that a *residual
//! conflict*. A world can choose another rule:
//!
//! - `staged_changes: refresh_before_dependents` refreshes in the middle of an execution: before the
//!   first system that depends on the one with the effect, directly or indirectly, and for which the effect
//!   can make a difference. The signatures say for which systems it can. The insertion or removal of `C`, and an
//!   accumulation into it, concerns systems that name `C`; an update of `C`, systems that read or write it; a spawn, systems that would be
//!   subscribed to the bundle; a despawn, systems with entities; a deferred function, all systems. The systems thus
//!   fall into [`Phases`](signature::Phases), which are known when the program is compiled. The results do not depend
//!   on threads: staged work merges in the order (phase, system, subtask, call).
//! - `staged_changes: deny` makes a compile error of each effect that systems would see too late
//!   ([`ECS0035`](errors::ecs0035)).
//!
//! Under each rule, a system can ask for a refresh: `sees: [Burn.despawn]` places the system after `Burn` and after a
//! refresh that applies what `Burn` has despawned. So a world can refresh where it matters and nowhere else. Under `deny`,
//! a system that runs after such a refresh is in time.
//!
//! ```
//! use ecs_core::{Place, World, world};
//!
//! struct Fuel(u32);
//! #[derive(Default)]
//! struct Aloft(usize);
//!
//! world! {
//!     world Rockets { staged_changes: refresh_before_dependents }
//!     component Fuel;
//!     resource Aloft;
//!     system Burn {
//!         despawn,
//!         each: |rocket: Place, fuel: &mut Fuel, effects| {
//!             fuel.0 -= 1;
//!             if fuel.0 == 0 {
//!                 effects.despawn(rocket);
//!             }
//!         },
//!     }
//!     system Count {
//!         read: [Fuel],
//!         dependencies: [Burn],
//!         write_resources: [Aloft],
//!         run: |data| data.resources.get_mut::<Aloft>().0 = data.own.all_entity_count(),
//!     }
//! }
//!
//! let mut world = World::<Rockets>::new();
//! world.spawn_batch((1..=3).map(|n| (Fuel(n),)));
//! world.tick()?;
//! assert_eq!(world.resource::<Aloft>().0, 2); // after the step only: 3
//! # Ok::<_, ecs_core::StepError>(())
//! ```
//!
//! A [sequential system](#sequential-systems) stages nothing. An entity that it despawns, and a component that it
//! removes, are gone for every system that runs after it. A component that it inserts is visible to later systems
//! through optional terms and `read_any`. But no system is *subscribed* before the refresh: a spawned entity, and an
//! entity that has come to match a system by an insertion or removal, is a new member like those of staged changes.
//! So the same three settings say when other systems see it.
//!
//! With refreshes between phases, an execution also begins with a refresh if anything was done or staged
//! since the last one. Outputs and states survive these refreshes. A [`Place`] does not, so a system outputs an
//! [`Entity`] for what a later phase is to find again. After a panic, the staged work of earlier phases has been
//! applied.
//!
//! # Sequential systems
//!
//! A system that declares `sequential` runs alone. It visits its entities one by one, and sees the changes that it
//! has made to earlier ones. It is the seq(*s*) of *Core ECS* (section 3.6), whose *roll* checks each match again
//! when it comes to it. So the body need not remember which entities are used up, despawned or changed already.
//! [`Data::roll`] has an example, and [`Data::roll_pairs`] one of pairs of own entities and members of a
//! [query](#pairs-of-entities).
//!
//! A sequential system reaches entities through these two and [`Data::now`] only, since the methods of other systems
//! hand out many entities at a time. It has a [phase](signature::Phases) to itself, so all other systems wait; it has
//! no other cost. Where one pass over own entities is enough, prefer staged effects, which run on all threads.
//!
//! # Rights
//!
//! What a body may do follows from its signature alone, never from settings or threads. `read` and
//! `write` concern *own* entities, those of the subtask. `read_any` reads one component of any entity.
//! `exclusive` makes one subtask that reaches all of the system's entities
//! ([`Own::pair_mut`]). `inputs` gives access to another system's state and outputs, and is a
//! dependency too. Each right is a trait in [`access`], so a body that lacks it does not compile:
//!
//! ```compile_fail
//! # use ecs_core::world;
//! # struct Position(f32);
//! world! {
//!     world Line;
//!     component Position;
//!     system Look {
//!         read: [Position],
//!         run: |data| {
//!             // error: the system `Look` does not declare that it writes `Position`
//!             data.own.query::<&mut Position>().for_each(|position| position.0 = 0.0);
//!         },
//!     }
//! }
//! ```
//!
//! # Pairs of entities
//!
//! Some logic concerns several entities at once, such as a moving entity and the one that it hits. A `query` names
//! the other entities. A system with `queries: [..]` visits pairs of own entities and members ([`Query::pairs`](Query::pairs)).
//! If the query has an index, the system can visit only the pairs that have a key in common or lie in the same part
//! of a grid ([`Query::join`](Query::join)). The order of the pairs follows from the world alone, on any number of threads. See
//! [`joins`].
//!
//! # Outputs
//!
//! A subtask can fill an [`Output`], which later systems read. The outputs of all subtasks, one
//! after the other, form the same [sequence](Sequence) however the system was split. Readers get that sequence.
//!
//! ```
//! use ecs_core::{Entity, World, world};
//!
//! struct Life(u32);
//! #[derive(Default)]
//! struct Weak(Vec<Entity>);
//!
//! world! {
//!     world Ward;
//!     component Life;
//!     resource Weak;
//!     system Find {
//!         output: Vec<Entity>,
//!         parallelism: split_evenly(cores),
//!         each: |entity: Entity, life: &Life, effects| {
//!             if life.0 < 10 {
//!                 effects.output().push(entity);
//!             }
//!         },
//!     }
//!     system Note {
//!         inputs: [Find],
//!         write_resources: [Weak],
//!         run: |data| {
//!             let found = data.effects.outputs_of::<Find>();
//!             data.resources.get_mut::<Weak>().0.extend(found.flatten());
//!         },
//!     }
//! }
//!
//! let mut world = World::<Ward>::new();
//! world.spawn_batch((0..20).map(|n| (Life(n),)));
//! world.tick()?;
//! assert_eq!(world.resource::<Weak>().0.len(), 10);
//! # Ok::<_, ecs_core::StepError>(())
//! ```
//!
//! # Snapshots, rollbacks and replays
//!
//! Between steps a world is plain data. [`World::snapshot`] keeps its state, [`World::restore`] brings it back, and
//! [`World::clone`] makes a second world. [`World::state_hash`] hashes the state; the hash is the same
//! on any number of threads, under any settings and with any storage strategy. A restored or cloned world continues
//! with the same bits, ids of new entities included. So two machines in *lockstep* exchange inputs and compare
//! hashes, and a game that predicts inputs goes back to a snapshot when the real ones arrive. A ring of snapshots
//! reuses its memory ([`World::snapshot_into`]). The crate `ecs-rollback` does both between machines, on top of `ggrs`.
//!
//! With the feature `serde`, a state can be bytes, for files and for other machines: `World::save` writes it, and `save::delta` gives what has changed
//! since an earlier save. `replay` records inputs, plays a recording to any step, and finds where two recordings diverge. With the feature `ron`,
//! `TextFormat` writes a state as text.
//!
//! ```
//! use ecs_core::{StateHash, StepError, World, world};
//!
//! #[derive(Clone, StateHash)]
//! struct Position(f32);
//! #[derive(Clone, Default, StateHash)]
//! struct Wind(f32);
//!
//! world! {
//!     world Sky;
//!     component Position;
//!     resource Wind;
//!     system Drift { each: |position: &mut Position, wind: &Wind| position.0 += wind.0 }
//! }
//!
//! fn play(world: &mut World<Sky>, wind: f32) -> Result<u64, StepError> {
//!     world.resource_mut::<Wind>().0 = wind;
//!     world.tick()?;
//!     Ok(world.state_hash())
//! }
//!
//! let mut world = World::<Sky>::new();
//! world.spawn((Position(0.0),));
//! let mut elsewhere = world.clone();
//! let before = world.snapshot();
//! let guessed = play(&mut world, 0.5)?;
//! let truly = play(&mut elsewhere, -0.5)?;
//! assert_ne!(guessed, truly);
//! world.restore(&before).unwrap();
//! assert_eq!(play(&mut world, -0.5)?, truly);
//! # Ok::<_, StepError>(())
//! ```
//!
//! # Where to go on
//!
//! | for | see |
//! | --- | --- |
//! | every item and key of a declaration | [`world!`] |
//! | the words and idioms of bevy, hecs and flecs, side by side with those here | [`coming_from`] |
//! | fixed or dynamic limits, one thread or many | [`settings`], [`Threads`] |
//! | what each proxy can do | [`Step`], [`Data`] with its [`Own`], [`Resources`] and [`Effects`], [`Executor`], [`Defer`] |
//! | changes at once, in a system | [`Now`], [`Match`] |
//! | taking a system's output while it runs | [`Stream`], [`Effects::stream`](Effects::stream) |
//! | overriding systems for one execution, one by one or many at once, with further data | [`overrides`] |
//! | several systems and subtasks that add to one resource at once | [`combine`] |
//! | several systems that change one component of different entities at once; double-buffered components | [`Effects::update`](Effects::update) |
//! | values from several systems that add up in a component of one entity | [`Effects::accumulate`](Effects::accumulate), [`Accumulate`] |
//! | events between systems, and messages to entities | [`Effects::emit`](Effects::emit), [`Data::for_messages`](Data::for_messages) |
//! | relations: parents and children, and systems that go to parents first | [`World::link`], [`Data::for_after_parent`](Data::for_after_parent) |
//! | relations of many to many, with values | [`World::insert_link`], [`ManyToMany`] |
//! | what has changed, for the systems that ask | [`Own::changed`](Own::changed), [`Mut`] |
//! | further effects on what a system spawns, and handles of it in components | [`Effects::spawn_pending`](Effects::spawn_pending), [`PendingEntity`] |
//! | components by name, as text, for editors and consoles | [`World::get_by_name`], [`World::set_by_name`] |
//! | an entity with its children, spawned many times from values that are made once | [`Template`] |
//! | several entities with their links, copied out of a world, made by code or read from files, and spawned many times | [`Prefab`], [`trait@MapEntities`] |
//! | refresh events: when entities are subscribed, unsubscribed or reclaimed | [`events`] |
//! | loops over whole slices of components | [`Own::for_runs`](Own::for_runs) |
//! | loops over entities by their places, which read no handles | [`Own::for_placed`](Own::for_placed) |
//! | what is part of a state, and which traits it needs | [`snapshot`], [`trait@StateHash`] |
//! | the first step in which two worlds, or two recordings, differ that should be the same, and the system that makes the difference | [`desync`], [`World::differences`]; `replay::compare` (feature `serde`) |
//! | states as bytes, deltas between them, and recordings of runs (feature `serde`); states and prefabs as text (feature `ron`) | `save`, `save::delta`, `replay`; `TextFormat` |
//! | what has the same bits on other machines: functions of floating-point numbers, WebAssembly | [`same_bits`] |
//! | pairs of entities: products, joins by key and by grid cell | [`joins`] |
//! | random numbers that do not depend on threads | [`random`] |
//! | steps at a fixed rate of real time | [`time`] |
//! | how a system is split | [`inner_parallelism`] |
//! | how systems are ordered | [`scheduler`] |
//! | tests for systems that may depend on an order that no rule sees | [`scheduler::Shuffled`], [`scheduler::assert_orderless`] |
//! | declarations as data, and their validation | [`signature`] |
//! | a description of a declaration: tables, the graph as a picture, the critical path, what each refresh holds up | [`description`] |
//! | why it is sound and deterministic, and what is left out on purpose | `ARCHITECTURE.md` |

mod changes;
#[doc = include_str!("../docs/coming-from.md")]
pub mod coming_from {}
mod declaration;
mod entity;
#[doc(hidden)]
pub mod generated;
mod output;
mod parallel;
mod proxy;
pub mod random;
mod refresh;
mod relations;
#[cfg(feature = "serde")]
pub mod replay;
mod rows;
#[doc = include_str!("../docs/same-bits.md")]
pub mod same_bits {}
mod scheduling;
pub mod signature;
mod state;
pub mod storage;
pub mod time;
mod types;
mod world;

pub use changes::{FromTemplate, StepError, Template, TemplateBundle};
pub use declaration::{description, errors};
/// Derives [`Combine`](trait@Combine), field by field.
pub use ecs_macros::Combine;
/// Derives [`MapEntities`](trait@MapEntities), which replaces the handles in the fields with `#[entities]`, in their order.
///
/// `#[map_entities(crate = path)]` names this crate, where it is neither a dependency nor renamed in `Cargo.toml`.
pub use ecs_macros::MapEntities;
/// Derives [`StateHash`](trait@StateHash) of the fields, in their order.
pub use ecs_macros::StateHash;
/// Derives [`States`](trait@States) for an enum of variants without data, for `state Mode = game::Mode { Menu, Playing };`
/// ([reference](world!#states)).
///
/// ```
/// use ecs_core::States;
///
/// #[derive(Clone, Copy, Debug, PartialEq, Eq, States)]
/// enum Mode { Menu, Playing }
///
/// assert_eq!(Mode::VARIANTS, [Mode::Menu, Mode::Playing]);
/// assert_eq!(Mode::Playing.position(), 1);
/// ```
///
/// `#[states(crate = path)]` names this crate, where it is neither a dependency nor renamed in `Cargo.toml`.
pub use ecs_macros::States;
pub use entity::{
    EffectTarget, Entity, LimitReached, Locate, MapEntities, PendingBatch, PendingEntity, Place,
    Resolve, Spawned,
};
pub use output::{EventIter, EventQueue, Output, Sender, Sequence, Stream, Streaming};
pub use parallel::Threads;
pub use proxy::query::{
    Entries, HandsOutOnce, Iter, Living, MemberFor, Mut, MutRun, QueryFor, Run, RunTerms,
};
pub use proxy::step::selection::{SelectionError, SystemSelection, UnknownSystem};
pub use proxy::step::stage::Stage;
pub use proxy::{
    AnyMut, Changed, Components, Data, Defer, Effects, Executor, InsertedComponents, Match,
    Messages, NoSuchEntity, Now, Own, Pair, Query, ReadAny, RemovedComponents, Resources, Step,
    WrittenResources,
};
pub use refresh::events;
pub use relations::{Children, Linked, ManyToMany, OnDespawn, Refused, Relation};
pub use rows::{BLOCK_ROWS, PAGE_ROWS};
pub use scheduling::{inner_parallelism, scheduler, settings};
pub use signature::body::System;
pub use signature::bundle::{Bundle, BundleSink};
pub use signature::tables::by_name::{ByNameError, TextForm};
pub use signature::tables::declaration::{Declaration, HasComponent, HasResource, SystemName};
pub use signature::tables::events::{Addressed, HasEvent};
pub use signature::tables::relations::{HasManyToMany, HasRelation};
pub use signature::tables::states::{HasState, StateOf, States};
pub use signature::terms::{Item, QueryTerms};
pub use state::Outputs;
pub use state::prefab::{Prefab, PrefabError};
#[cfg(feature = "serde")]
pub use state::save::{
    self, ChangedPart, LoadError, PartFormat, PartKind, SaveError, SaveFormat, Saveable,
    UnknownParts,
};
#[cfg(feature = "ron")]
pub use state::save::{TextError, TextFormat};
pub use state::snapshot::{
    self, Cloneable, Difference, Differences, Hashable, Part, PartDifference, Snapshot, StateHashes,
};
pub use storage::Removed;
pub use types::Accumulate;
pub use types::combine::{self, Combine};
pub use types::component::Component;
pub use types::{StateHash, StateHasher};
pub use world::{World, desync};

pub mod access {
    #![doc = include_str!("signature/access.md")]

    pub use crate::signature::access::*;
}

pub mod overrides {
    //! *Overrides*: other code for systems, in one execution (thesis, 12.2).
    //!
    //! [`Step::execute_systems`](crate::Step::execute_systems) gives an [`Execution`]. Code is given to one system by
    //! [`for_subtasks`](Execution::for_subtasks), and to several at once by an [`Adapter`].

    pub use crate::proxy::{
        Adapter, Always, Execution, ForInstance, ForSubtasks, Predicate, Starts, SystemInstance,
        Targets,
    };

    #[doc(hidden)]
    pub use crate::proxy::step::overrides::{
        All, Bodies, Detailed, DetailedInstance, Each, Every, Instances, Named, Only, Overrides,
        Subtasks,
    };
}

pub mod joins {
    #![doc = include_str!("proxy/query/joins/joins.md")]

    pub use crate::proxy::events::indexed::{EventKey, EventsAt, EventsBy, HasEventIndex};
    pub use crate::proxy::query::joins::{
        ByRow, Cell, Coordinates, Grid, HasCells, HasIndex, Hashed, Index, Items, Key, KeyOf,
        Lookup, Matches, Members, Near, Numbered, Placed, Point, PointOf, Ranked, Sorted,
    };
}

#[doc = include_str!("declaration/world.md")]
#[macro_export]
macro_rules! world {
    ($($declaration:tt)*) => {
        $crate::generated::declare! { ($crate) $($declaration)* }
    };
}

#[doc = include_str!("declaration/set.md")]
#[macro_export]
macro_rules! set {
    ($($declaration:tt)*) => {
        $crate::generated::declare_set! { ($crate) $($declaration)* }
    };
}

/// The README's program, as a test.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
mod readme {}
