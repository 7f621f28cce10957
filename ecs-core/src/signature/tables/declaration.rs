//! The traits that a declaration implements: the contents of a world, by type and by index.

use crate::output::Output;
use crate::scheduling::inner_parallelism::Strategy;
use crate::scheduling::scheduler::Scheduler;
use crate::scheduling::settings::{Scheduled, Settings};
use crate::signature::codegen_unit::CodegenUnit;
use crate::signature::tables::by_name::ComponentByName;
use crate::signature::tables::condition::{Asked, Condition};
use crate::signature::tables::events::EventSignature;
use crate::signature::tables::relations::RelationSignature;
use crate::signature::tables::states::StateSignature;
use crate::signature::tables::{removed, tracking};
use crate::signature::{
    ComponentSignature, ResourceSignature, ResourceSink, StagedChanges, SystemSignature,
};
use crate::signature::{Item, QueryTerms, System};
use crate::storage::{ColumnTable, HasColumn, LaneCount, Stages, Stored};
use crate::types::{Brand, ThreadSafe};

/// A declared world: its components, resources and systems, as tables and as types.
///
/// [`world!`](crate::world) implements it. An implementation by hand is just as safe:
/// [`check`](crate::signature::check) validates the tables when the program is built, and every access asserts
/// its own index.
///
/// The declaration does not say how the world is run. [`Settings`] do: a
/// [`World`](crate::World) is a declaration *with* settings, the declared ones by default.
///
/// ```
/// use ecs_core::settings::Settings;
/// use ecs_core::{Declaration, World, world};
/// # struct Position(f32);
///
/// world! {
///     world Line;
///     component Position;
/// }
///
/// /// A helper for any world.
/// fn report<D: Declaration, S: Settings>(world: &World<D, S>) -> String {
///     format!("{}: {} entities", D::NAME, world.entity_count())
/// }
///
/// assert_eq!(report(&World::<Line>::new()), "Line: 0 entities");
/// ```
#[doc(alias = "context")]
#[diagnostic::on_unimplemented(
    message = "[ECS0069] `{Self}` is not a declared world",
    label = "not a declaration",
    note = "declare it: `ecs_core::world! {{ world {Self}; … }}`"
)]
pub trait Declaration: Sized + Send + Sync + 'static {
    /// The declared settings.
    type Settings: Settings;

    /// The declaration's name.
    const NAME: &'static str;

    /// One signature per component; a component's position here is its index.
    const COMPONENTS: &'static [ComponentSignature];

    /// One signature per resource; a resource's position here is its index.
    const RESOURCES: &'static [ResourceSignature];

    /// One signature per system; a system's position here is its index. Staged work of systems that nothing orders is
    /// merged in this order.
    const SYSTEMS: &'static [SystemSignature];

    /// One signature per event. The queue of each is a resource.
    #[doc(hidden)]
    const EVENTS: &'static [EventSignature] = &[];

    /// One signature per state.
    #[doc(hidden)]
    const STATES: &'static [StateSignature] = &[];

    /// One signature per relation. The links of each are a resource.
    #[doc(hidden)]
    const RELATIONS: &'static [RelationSignature] = &[];

    /// The components that are accessible by name.
    #[doc(hidden)]
    const BY_NAME: &'static [ComponentByName<Self>] = &[];

    /// When systems see what other systems have staged in the same execution.
    const STAGED_CHANGES: StagedChanges = StagedChanges::AfterStep;

    /// The [seed](crate::random) that a new world starts with: `seed` in a declaration.
    const SEED: u64 = 0;

    /// Calls `visitor` with the type of the system at `index`.
    fn dispatch<V: SystemVisitor<Self>>(index: usize, visitor: V) -> V::Output;

    /// The bits of the systems of the word that are asked for and whose conditions hold. [`world!`](crate::world) names the
    /// systems instead, so that their conditions are called one after the other, without pointers.
    #[doc(hidden)]
    fn conditions(asked: Asked<'_>) -> u64 {
        asked.by_index::<Self>()
    }

    /// Puts the initial value of every resource into `sink`.
    fn resources(sink: &mut ResourceSink<'_, Self>);
}

/// Code for a system that is known by its index only.
pub trait SystemVisitor<D: Declaration> {
    /// The result of the visit.
    type Output;

    /// Runs with the system's type.
    fn visit<N: SystemName<D>>(self) -> Self::Output;
}

/// The arm of [`Declaration::dispatch`] for an index that no system has.
///
/// # Panics
/// Always.
#[cold]
pub fn no_such_system(index: usize) -> ! {
    panic!("no system has the index {index}: the declaration's `dispatch` misses an arm")
}

/// The value of a part of a declaration that cannot be read, which is an error.
///
/// # Panics
/// Always.
#[cold]
pub fn unreadable<T>() -> T {
    panic!("the declaration cannot be read")
}

/// The declaration has the component `C`.
///
/// ```
/// use ecs_core::settings::Settings;
/// use ecs_core::{HasComponent, World, world};
/// struct Position(f32);
///
/// world! {
///     world Line;
///     component Position;
/// }
///
/// /// The sum over all entities, in any world with positions.
/// fn total<D: HasComponent<Position>, S: Settings>(world: &World<D, S>) -> f32 {
///     let mut total = 0.0;
///     world.iter::<&Position>().for_each(|position| total += position.0);
///     total
/// }
///
/// let mut world = World::<Line>::new();
/// world.spawn_batch([1.0, 2.0].map(|at| (Position(at),)));
/// assert_eq!(total(&world), 3.0);
/// ```
#[diagnostic::on_unimplemented(
    message = "[ECS0063] `{C}` is not a component of the world `{Self}`",
    label = "unknown component",
    note = "if it is one type, add `component {C};` to the declaration of `{Self}`",
    note = "if it is a tuple of components, leave out its parentheses: a bundle is flat, as in `(A, B, C)`"
)]
pub trait HasComponent<C>: Declaration {
    /// The component's position in [`Declaration::COMPONENTS`].
    const INDEX: usize;

    /// How the component's values are stored. It must be what the table says, or every access panics.
    type Strategy: Stages<C>;

    /// A number that no other component of the declaration has, as a type: its bits, the lowest one first. `()` is 0,
    /// `(N,)` is twice `N`, and `(N, ())` is one more. It tells the components of a query apart when a program is
    /// checked; nothing else depends on it.
    type Number;
}

/// The type of the component at an index. Other types of the declaration refer to it, so that `rustc` reports a private
/// component once, where it is declared.
#[doc(hidden)]
pub trait ComponentAt<const INDEX: usize>: Declaration {
    /// The component.
    type Component;
}

/// The declaration has the resource `R`.
///
/// ```
/// use ecs_core::settings::Settings;
/// use ecs_core::{HasResource, World, world};
/// #[derive(Default)]
/// struct Clock(u64);
///
/// world! {
///     world Game;
///     resource Clock;
/// }
///
/// fn advance<D: HasResource<Clock>, S: Settings>(world: &mut World<D, S>) {
///     world.resource_mut::<Clock>().0 += 1;
/// }
///
/// let mut world = World::<Game>::new();
/// advance(&mut world);
/// assert_eq!(world.resource::<Clock>().0, 1);
/// ```
#[diagnostic::on_unimplemented(
    message = "[ECS0064] `{R}` is not a resource of the world `{Self}`",
    label = "unknown resource",
    note = "add `resource {R};` to the declaration of `{Self}`"
)]
pub trait HasResource<R>: Declaration {
    /// The resource's position in [`Declaration::RESOURCES`].
    const INDEX: usize;
}

/// The declaration has the [commutative](crate::combine) resource `R`.
pub trait Combines<R: ThreadSafe>: HasResource<R> {
    /// Combines the values, by the declared operation.
    fn combine(into: &mut R, other: R);
}

/// A system of the declaration `D`, by the name that it has there.
///
/// Most systems are their own name. A type declared twice (`system Rise: Adjust`) has two names,
/// and its body is generic over them: `impl<N> System<D, N> for Adjust`.
///
/// ```
/// use ecs_core::{Data, System, SystemName, World, world};
/// struct Heat(u32);
/// struct Warm;
///
/// world! {
///     world Room;
///     component Heat;
///     component Warm: empty;
///     system Near: Oven { write: [Heat], with: [Warm], state: Oven(9) }
///     system Far: Oven { write: [Heat], without: [Warm], state: Oven(1) }
/// }
///
/// struct Oven(u32);
///
/// impl<N> System<Room, N> for Oven
/// where
///     N: SystemName<Room, System = Self> + ecs_core::access::Writes<Heat, Room>,
/// {
///     fn process(&self, data: &mut Data<'_, Room, N>) {
///         data.own.query::<&mut Heat>().for_each(|heat| heat.0 += self.0);
///     }
/// }
///
/// let mut world = World::<Room>::new();
/// let [near, far] = [world.spawn((Heat(0), Warm)), world.spawn((Heat(0),))];
/// world.tick()?;
/// assert_eq!([near, far].map(|e| world.get::<Heat>(e).unwrap().0), [9, 1]);
/// # Ok::<_, ecs_core::StepError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "[ECS0065] `{Self}` is not a system of the world `{D}`",
    label = "unknown system",
    note = "add `system {Self} {{ … }}` to the declaration of `{D}`"
)]
pub trait SystemName<D: Declaration>: Sized + 'static {
    /// The system's position in [`Declaration::SYSTEMS`].
    const INDEX: usize;

    /// The user's type, which holds the system's state.
    type System: System<D, Self> + ThreadSafe;

    /// The output of each subtask.
    type Output: Output;

    /// How the subscribed entities are split over subtasks.
    type Parallelism: Strategy;

    /// The entity and every component that the signature reads or writes, as a query.
    type Terms: QueryTerms<D>;

    /// [`Terms`](Self::Terms) with a named field for each component.
    type Entry<'a>;

    /// Where the system's loop is compiled in dev builds: one of [`codegen_unit`](crate::generated::codegen_unit).
    /// Neighbours in the table should have different ones.
    type CodegenUnit: CodegenUnit;

    /// Whether the system runs, if it has a condition.
    const CONDITION: Option<Condition<D>> = None;

    /// The initial state of the system.
    fn initial() -> Self::System;

    /// Gives names to the components that the query found.
    fn entry<'a>(terms: Item<'a, Self::Terms, D>) -> Self::Entry<'a>;
}

impl<D: Declaration, S: Scheduler + 'static> Settings for Scheduled<D, S> {
    type Limit = <D::Settings as Settings>::Limit;
    type Inner = <D::Settings as Settings>::Inner;
    type Scheduler = S;
}

impl ComponentSignature {
    /// Stores `C` in the external storage that `D` names for it.
    ///
    /// # Panics
    /// In `const` evaluation, that is, as a compile error: if the strategy is that of contiguous buffers.
    #[must_use]
    pub const fn external<D: HasComponent<C>, C: 'static>(name: &'static str) -> Self {
        let Some(make) = <D::Strategy as Stored<C>>::EXTERNAL else {
            panic!("[ECS0070] the component is in a contiguous buffer, and needs its number")
        };
        Self::external_with::<C>(name, make)
    }
}

impl<D: Declaration> ColumnTable for D {
    const COMPONENTS: &'static [ComponentSignature] = D::COMPONENTS;
}

impl<D: HasComponent<C>, C> HasColumn<C> for D {
    const INDEX: usize = <D as HasComponent<C>>::INDEX;
    const LANES: LaneCount = tracking::count::<D>(<D as HasComponent<C>>::INDEX);
    const KEEPS_REMOVED: bool = removed::is_read::<D>(<D as HasComponent<C>>::INDEX);
    type Strategy = <D as HasComponent<C>>::Strategy;
}

/// The systems of a declaration are those of `T`: a balanced tree of [`Both`] with a [`One`] for each
/// system, or `()` if there is none. [`world!`](crate::world) implements it, once.
///
/// `T` is a parameter, because an associated type would have to be as visible as the world. A system that `T`
/// omits keeps its body in every execution; the table decides what runs.
pub trait EverySystem<T>: Declaration {}

/// A leaf: the system `N`.
#[derive(Debug)]
pub struct One<N>(Brand<N>);

/// The systems of `L`, and those of `R`.
#[derive(Debug)]
pub struct Both<L, R>(Brand<(L, R)>);

/// The signature of the system `N` in the table.
///
/// ```
/// # use ecs_core::{signature::signature_of, world};
/// # struct Heat(u32);
/// world! {
///     world Room;
///     component Heat;
///     system Warm { each: |heat: &mut Heat| heat.0 += 1 }
/// }
/// assert_eq!(signature_of::<Room, Warm>().name(), "Warm");
/// ```
#[must_use]
pub const fn signature_of<D: Declaration, N: SystemName<D>>() -> &'static SystemSignature {
    &D::SYSTEMS[N::INDEX]
}
