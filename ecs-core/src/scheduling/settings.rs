//! *Settings*: how a declared world is run (thesis, 7.2).
//!
//! Settings choose between a fixed and a dynamic entity limit, whether work is split among threads, and
//! the scheduler. The results of a step do not depend on them as long as there is room: under a fixed
//! limit, entities that do not fit are not created. (Only [`ByArchetype`] changes the order of entities.) A body
//! compiles under all settings or under none. A limit that is out of range (`ECS0017`), or that needs more memory than
//! can exist (`ECS0077`), does not compile. One declaration serves every configuration:
//!
//! ```
//! use ecs_core::settings::{AtomicCounter, Config, Disallow, Fixed};
//! # use ecs_core::world;
//! # struct Position(f32);
//! world! {
//!     world Small;
//!     component Position;
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

pub use crate::entity::EntityLimit;
use crate::entity::{LimitReached, unlimited};
use crate::scheduling::scheduler::Scheduler;
pub use crate::scheduling::scheduler::{AtomicCounter, Sequential};
use crate::types::Brand;

/// How a world is run.
///
/// ```
/// use ecs_core::settings::Settings;
/// use ecs_core::{World, world};
/// # struct Position(f32);
/// # world! { world Line; component Position; }
///
/// /// A helper for worlds with any settings.
/// fn count<S: Settings>(world: &World<Line, S>) -> usize {
///     world.entity_count()
/// }
///
/// assert_eq!(count(&World::<Line>::new()), 0);
/// ```
#[diagnostic::on_unimplemented(
    message = "[ECS0069] `{Self}` is not a world's settings",
    label = "not settings",
    note = "use `Config<limit, inner parallelism, scheduler>`, as in `Config<Fixed<100>, Allow, AtomicCounter>`"
)]
pub trait Settings: 'static {
    /// How many entities there can be.
    type Limit: EntityLimit;
    /// Whether systems are split into subtasks.
    type Inner: InnerParallelism;
    /// The scheduler, which decides when each system runs.
    type Scheduler: Scheduler;
}

/// Settings composed of their three parts.
///
/// ```
/// use ecs_core::settings::{Config, Disallow, Fixed, Sequential};
/// # use ecs_core::{World, world};
/// # struct Position(f32);
/// # world! { world Line; component Position; }
/// let mut world = World::<Line, Config<Fixed<1>, Disallow, Sequential>>::new();
/// assert!(world.spawn((Position(0.0),)).is_ok());
/// assert!(world.spawn((Position(1.0),)).is_err());
/// ```
#[derive(Debug)]
pub struct Config<L, I, S>(Brand<(L, I, S)>);

impl<L: EntityLimit, I: InnerParallelism, S: Scheduler + 'static> Settings for Config<L, I, S> {
    type Limit = L;
    type Inner = I;
    type Scheduler = S;
}

/// The settings that `D` declares, but for its scheduler, which is `S`: `Scheduled<Discs, Sequential>`.
///
/// ```
/// use ecs_core::settings::{Scheduled, Sequential};
/// # use ecs_core::{World, world};
/// # struct Position(f32);
/// # world! { world Line; component Position; }
/// let world = World::<Line, Scheduled<Line, Sequential>>::new();
/// # assert_eq!(world.entity_count(), 0);
/// ```
#[derive(Debug)]
pub struct Scheduled<D, S>(Brand<(D, S)>);

/// At most `N` entities. Memory for all of them is allocated when the world is made, so a spawn never grows anything.
/// (Storage strategies other than contiguous buffers allocate on their own.)
///
/// One entity more is an error value ([`LimitReached`](crate::LimitReached)).
///
/// ```
/// use ecs_core::settings::{Allow, AtomicCounter, Config, Fixed};
/// # use ecs_core::{World, world};
/// # struct Position(f32);
/// world! {
///     world Line { entity_limit: fixed(100) }
///     component Position;
/// }
/// // The same limit, chosen where the world is made.
/// type Hundred = Config<Fixed<100>, Allow, AtomicCounter>;
/// let mut world = World::<Line, Hundred>::new();
/// assert!(world.spawn_batch((0..101).map(|n| (Position(n as f32),))).is_err());
/// ```
#[derive(Debug)]
pub struct Fixed<const N: usize>;

/// Up to 2³¹ − 1 entities; memory for `N` of them is allocated when the world is made.
///
/// ```
/// # use ecs_core::{World, world};
/// # struct Position(f32);
/// world! {
///     world Line { entity_limit: dynamic(100) }
///     component Position;
/// }
/// let mut world = World::<Line>::new();
/// let discs = world.spawn_batch((0..101).map(|n| (Position(n as f32),)));
/// assert_eq!(discs.len(), 101);
/// ```
#[derive(Debug)]
pub struct Dynamic<const N: usize>;

/// As [`Dynamic`], but rows lie *by archetype* (`rows: by_archetype`): entities that are spawned with the same
/// components share pages of 4 096 rows with each other and with no other entities.
///
/// This is for worlds of many archetypes that are spawned in mixed order. Each page takes memory only for the
/// components that its entities have, not for those of all entities spawned about the same time. A system walks over
/// adjacent rows of entities that it matches, instead of skipping rows of other archetypes. Each set of components
/// that a program spawns entities with costs at least one page of each of these components.
///
/// The archetype of an entity is the set of components that it has at the refresh after its spawn, however it was
/// spawned. It is cheapest to spawn entities as bundles, which go to their rows directly. An entity that is spawned
/// empty and then gets one component after the other is moved at the refresh. Components that are added or removed
/// later do not change the archetype, so a component that few entities of an archetype get later is better stored in
/// a `hash_map` or `sparse_set`. About 1 024 archetypes have pages of their own; further ones share the pages of
/// entities without components.
///
/// Additional cost: O(log archetypes) for each spawn; for each refresh O(archetypes), O(components of the declaration)
/// for each 64 rows with entities that were spawned in the step, and as much for each of these entities that moves.
/// After a peak, a refresh also moves the entities of the last pages of 4 096 rows to pages that have become free:
/// O(components) for each.
///
/// The order of entities differs from that of [`Dynamic`]. It is part of the state, so state hashes differ. A snapshot
/// can be restored into a world of the other order, which then continues in its own order. (Under a fixed limit that
/// needs room for all rows, and so for whole pages.) What depends on the order of entities (the order in which a
/// subtask visits them, the order of outputs, and sums of floating point numbers) is the same on any number of threads.
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
///         step.spawn((Position(n as f32), Hull(3)));
///         step.spawn((Position(n as f32), Hull(9), Fuel(7)));
///     }
/// }).unwrap();
/// assert_eq!(world.entity_count(), 2000);
/// ```
#[derive(Debug)]
pub struct ByArchetype<const N: usize>;

impl<const N: usize> EntityLimit for Fixed<N> {
    const FIXED: Option<usize> = Some(N);
    const INITIAL: usize = N;
    type Outcome<T> = Result<T, LimitReached>;

    fn outcome<T>(spawned: Result<T, LimitReached>) -> Self::Outcome<T> {
        spawned
    }
}

impl<const N: usize> EntityLimit for Dynamic<N> {
    const FIXED: Option<usize> = None;
    const INITIAL: usize = N;
    type Outcome<T> = T;

    fn outcome<T>(spawned: Result<T, LimitReached>) -> T {
        unlimited(spawned)
    }
}

impl<const N: usize> EntityLimit for ByArchetype<N> {
    const FIXED: Option<usize> = None;
    const INITIAL: usize = N;
    const BY_ARCHETYPE: bool = true;
    type Outcome<T> = T;

    fn outcome<T>(spawned: Result<T, LimitReached>) -> T {
        unlimited(spawned)
    }
}

/// Whether one piece of work is split among threads: a system into subtasks (thesis, 10.4), and a stage of the refresh
/// (applying, freeing, matching) into pieces of its own.
///
/// ```
/// use ecs_core::settings::{Allow, Disallow, InnerParallelism};
///
/// const _: () = assert!(Allow::ALLOWED && !Disallow::ALLOWED);
/// ```
#[diagnostic::on_unimplemented(
    message = "[ECS0069] `{Self}` does not say whether there is inner parallelism",
    label = "neither `Allow` nor `Disallow`",
    note = "use `Allow` or `Disallow`"
)]
pub trait InnerParallelism: 'static {
    /// Whether each system's strategy is followed, and a stage of the refresh runs on several threads. If not,
    /// each system is one subtask, and each stage is one piece of work.
    const ALLOWED: bool;
}

/// Each system is split as its strategy says, and a refresh with much work is split by rows.
///
/// ```
/// # use ecs_core::{World, world};
/// # struct Position(f32);
/// world! {
///     world Line { inner_parallelism: allow } // the default
///     component Position;
///     system Move {
///         parallelism: split_evenly(cores),
///         each: |position: &mut Position| position.0 += 1.0,
///     }
/// }
/// # let world = World::<Line>::new();
/// # assert_eq!(world.entity_count(), 0);
/// ```
#[derive(Debug)]
pub struct Allow;

/// Nothing is split: each system is one subtask, and the refresh runs on one thread, except that subscriptions of
/// different systems are matched in parallel. Systems still run in parallel.
///
/// ```
/// use ecs_core::settings::{AtomicCounter, Config, Disallow, Dynamic};
/// # use ecs_core::{World, world};
/// # struct Position(f32);
/// # world! { world Line; component Position; }
/// let world = World::<Line, Config<Dynamic<100>, Disallow, AtomicCounter>>::new();
/// # assert_eq!(world.entity_count(), 0);
/// ```
#[derive(Debug)]
pub struct Disallow;

impl InnerParallelism for Allow {
    const ALLOWED: bool = true;
}

impl InnerParallelism for Disallow {
    const ALLOWED: bool = false;
}
