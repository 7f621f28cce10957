//! *Settings*: how a declared world is run (thesis, 7.2).
//!
//! They choose between a fixed and a dynamic entity limit, whether work is split among threads, and
//! the scheduler. What a step computes does not depend on them as long as there is room: under a fixed
//! limit, entities that find none are not created. (Only the order of entities does: see [`ByArchetype`].) A body compiles under all settings or none; a limit
//! that is out of range (`E0017`), or that needs more memory than there can be (`E0077`), does not.
//! One declaration serves every configuration:
//!
//! ```
//! use ecs_core::settings::{AtomicCounter, Config, Disallow, Fixed};
//! # use ecs_core::world;
//! # struct Position(f32);
//! world! {
//!     world Small {}
//!     component Position: contiguous_buffer;
//! }
//! // As declared: a dynamic limit, inner parallelism allowed, the atomic-counter scheduler.
//! let as_declared = ecs_core::World::<Small>::new();
//! // The same world with a fixed limit, and without inner parallelism.
//! type Other = Config<Fixed<100>, Disallow, AtomicCounter>;
//! let other = ecs_core::World::<Small, Other>::new();
//! // As declared, but for the scheduler.
//! use ecs_core::settings::{Scheduled, Sequential};
//! let one_by_one = ecs_core::World::<Small, Scheduled<Small, Sequential>>::new();
//! # let _ = (as_declared, other, one_by_one);
//! ```

use crate::brand::Brand;
use crate::scheduler::Scheduler;
pub use crate::scheduler::{AtomicCounter, Sequential};
use crate::signature::Declaration;

/// How a world is run.
#[diagnostic::on_unimplemented(
    message = "[E0069] `{Self}` is not a world's settings",
    label = "not settings",
    note = "use `Config<limit, inner parallelism, scheduler>`, as in `Config<Fixed<100>, Allow, AtomicCounter>`"
)]
pub trait Settings: 'static {
    /// How many entities there can be.
    type Limit: EntityLimit;
    /// Whether systems are split into subtasks.
    type Inner: InnerParallelism;
    /// Who decides when each system runs.
    type Scheduler: Scheduler;
}

/// Settings put together from their three parts.
#[derive(Debug)]
pub struct Config<L, I, S>(Brand<(L, I, S)>);

impl<L: EntityLimit, I: InnerParallelism, S: Scheduler + 'static> Settings for Config<L, I, S> {
    type Limit = L;
    type Inner = I;
    type Scheduler = S;
}

/// The settings that `D` declares, but for its scheduler, which is `S`: `Scheduled<Discs, Sequential>`.
#[derive(Debug)]
pub struct Scheduled<D, S>(Brand<(D, S)>);

impl<D: Declaration, S: Scheduler + 'static> Settings for Scheduled<D, S> {
    type Limit = <D::Settings as Settings>::Limit;
    type Inner = <D::Settings as Settings>::Inner;
    type Scheduler = S;
}

/// How many entities a world can hold.
#[diagnostic::on_unimplemented(
    message = "[E0069] `{Self}` is not an entity limit",
    label = "not a limit",
    note = "use `Fixed<N>`, `Dynamic<N>` or `ByArchetype<N>`"
)]
pub trait EntityLimit: 'static {
    /// The most entities alive at once, if there is a limit.
    const FIXED: Option<usize>;
    /// The entities that memory is set aside for when the world is made.
    const INITIAL: usize;
    /// Whether those who are created with the same components lie together, as [`ByArchetype`] says.
    const BY_ARCHETYPE: bool = false;
}

/// Whether the limit is fixed, answered when the program is built: `fixed` is called with the limit, or
/// `dynamic` with the room at first, and the other one is not even compiled in (thesis, 14.3).
pub(crate) fn on_limit<L: EntityLimit, R>(
    fixed: impl FnOnce(usize) -> R,
    dynamic: impl FnOnce(usize) -> R,
) -> R {
    match const { L::FIXED } {
        Some(limit) => fixed(limit),
        None => dynamic(L::INITIAL),
    }
}

/// At most `N` entities, for which all memory is set aside at once: creation never grows anything.
/// (Components that are not in contiguous buffers take memory as their storage strategies see fit.)
///
/// One entity more is an error value ([`LimitReached`](crate::LimitReached)).
#[derive(Debug)]
pub struct Fixed<const N: usize>;

/// Up to 2³¹ − 1 entities; memory for `N` of them is set aside when the world is made.
#[derive(Debug)]
pub struct Dynamic<const N: usize>;

/// As [`Dynamic`], but rows lie *by archetype* (`rows: by_archetype`): entities that come into being with the same components
/// share pages of 4 096 rows with one another and with nobody else.
///
/// For worlds of many archetypes that come in any order. Memory is taken for the components that entities have, and not for
/// those of everybody who was born about the same time; and a system walks over rows of entities that it matches, one
/// beside the other, where otherwise it would skip those of other archetypes. Each set of components that a program creates
/// entities with costs a page of each of them at least.
///
/// Of one archetype are those who have the same components at the refresh behind their creation, in whatever way they were created.
/// It is cheapest to spawn them as bundles, which go to their places directly; who is created empty and gets one component after
/// the other is moved at the refresh. Components that are added or removed after that do not make an entity another archetype, so what few of
/// an archetype get later is better off in a `hash_map` or `sparse_set`. Some 1 024 archetypes have
/// pages of their own; further ones share those of entities without components.
///
/// A creation takes O(log archetypes) in addition, and a refresh O(archetypes), and O(components of the declaration) for each 64 rows
/// with entities that were born in the step, and for each of these that moves.
///
/// The order of entities is another one than with [`Dynamic`], and part of the state: state hashes differ. A snapshot can be restored
/// into a world of the other order, which goes on in its own. (Under a fixed limit it needs room for all rows, and so for whole pages.)
/// What depends on the order of entities (the order in which a subtask meets them, that of outputs, and sums of floating
/// point numbers) is the same on any number of threads.
///
/// ```
/// # use ecs_core::{World, world};
/// # #[derive(Debug, PartialEq)]
/// # struct Position(f32);
/// # struct Hull(u32);
/// # struct Fuel(u32);
/// world! {
///     world Space { entity_limit: dynamic(10_000), rows: by_archetype }
///     component (Position, Hull, Fuel): contiguous_buffer;
/// }
///
/// let mut world = World::<Space>::new();
/// world.step(|step| {
///     for n in 0..1000 {
///         // Rocks and ships in turns: rocks lie together, and so do ships.
///         step.spawn((Position(n as f32), Hull(3)))?;
///         step.spawn((Position(n as f32), Hull(9), Fuel(7)))?;
///     }
///     Ok::<_, ecs_core::LimitReached>(())
/// }).unwrap().unwrap();
/// assert_eq!(world.entity_count(), 2000);
/// ```
#[derive(Debug)]
pub struct ByArchetype<const N: usize>;

impl<const N: usize> EntityLimit for Fixed<N> {
    const FIXED: Option<usize> = Some(N);
    const INITIAL: usize = N;
}

impl<const N: usize> EntityLimit for Dynamic<N> {
    const FIXED: Option<usize> = None;
    const INITIAL: usize = N;
}

impl<const N: usize> EntityLimit for ByArchetype<N> {
    const FIXED: Option<usize> = None;
    const INITIAL: usize = N;
    const BY_ARCHETYPE: bool = true;
}

/// Whether one piece of work is split among threads: a system into subtasks (thesis, 10.4), and what the refresh
/// applies, frees or matches into pieces of its own.
#[diagnostic::on_unimplemented(
    message = "[E0069] `{Self}` does not say whether there is inner parallelism",
    label = "neither `Allow` nor `Disallow`",
    note = "use `Allow` or `Disallow`"
)]
pub trait InnerParallelism: 'static {
    /// Whether each system's strategy is followed, and a stage of the refresh goes on several threads; if not,
    /// each system is one subtask, and each stage is one piece of work.
    const ALLOWED: bool;
}

/// Each system is split as its strategy says, and a refresh with much to do is split by rows.
#[derive(Debug)]
pub struct Allow;

/// Nothing is split: each system is one subtask, and the refresh goes on one thread, but for subscriptions of
/// different systems. Systems still run beside one another.
#[derive(Debug)]
pub struct Disallow;

impl InnerParallelism for Allow {
    const ALLOWED: bool = true;
}

impl InnerParallelism for Disallow {
    const ALLOWED: bool = false;
}
