//! What a system may do, as traits over the declaration.
//!
//! `world!` implements one of these traits for each right that a signature declares; the methods of proxies
//! have them as bounds. A missing right is therefore a compile error at the place of use, which
//! names the system, the component and the line to add. The traits provide the messages; soundness does not rest on
//! them: every proxy asserts the same right against the declaration's tables in `const` evaluation. Each
//! message begins with a code, which [`errors`](crate::errors) explains.
//!
//! `Self` is the system's name, `D` the declaration.

use super::bundle::{Bundle, StagedBundle};
use super::family::FamilyBy;
pub use super::undeclared::ECS0113_not_in_read_or_write;
use super::{Addressed, Combines, Declaration, HasComponent, HasResource};
use crate::entity::{Entity, Locate};
use crate::output::EventQueue;
use crate::storage::{Accumulation, Insertion, Put, Replacement, Storage};
use crate::types::{Accumulate, ThreadSafe};

/// The system reads `C` of its own entities, all of which have it.
#[diagnostic::on_unimplemented(
    message = "[ECS0050] the system `{Self}` does not declare that it reads `{C}`",
    label = "undeclared read of `{C}`",
    note = "add `{C}` to the `read: [..]` of `system {Self}` in the declaration of `{D}`"
)]
pub trait Reads<C, D: Declaration> {}

/// The system writes `C` of its own entities, all of which have it.
#[diagnostic::on_unimplemented(
    message = "[ECS0051] the system `{Self}` does not declare that it writes `{C}`",
    label = "undeclared write of `{C}`",
    note = "add `{C}` to the `write: [..]` of `system {Self}` in the declaration of `{D}`"
)]
pub trait Writes<C, D: Declaration>: Reads<C, D> {}

/// The system reads `C` of those of its own entities that have it.
#[diagnostic::on_unimplemented(
    message = "[ECS0050] the system `{Self}` does not declare that it optionally reads `{C}`",
    label = "undeclared optional read of `{C}`",
    note = "add `{C}` to the `read_optional: [..]` of `system {Self}` in the declaration of `{D}`"
)]
pub trait ReadsOptional<C, D: Declaration> {}

/// The system writes `C` of those of its own entities that have it.
#[diagnostic::on_unimplemented(
    message = "[ECS0051] the system `{Self}` does not declare that it optionally writes `{C}`",
    label = "undeclared optional write of `{C}`",
    note = "add `{C}` to the `write_optional: [..]` of `system {Self}` in the declaration of `{D}`"
)]
pub trait WritesOptional<C, D: Declaration>: ReadsOptional<C, D> {}

/// The system reads `C` of any entity.
#[diagnostic::on_unimplemented(
    message = "[ECS0052] the system `{Self}` does not declare that it reads `{C}` of any entity",
    label = "undeclared read of `{C}` of another entity",
    note = "add `{C}` to the `read_any: [..]` of `system {Self}` in the declaration of `{D}`"
)]
pub trait ReadsAny<C, D: Declaration> {}

/// The system runs as one subtask that reaches every entity.
#[diagnostic::on_unimplemented(
    message = "[ECS0053] the system `{Self}` does not declare that it is exclusive",
    label = "reaches entities other than its own",
    note = "add `exclusive` to `system {Self}` in the declaration of `{D}`, or `read_any: [..]` to only read"
)]
pub trait Exclusive<D: Declaration> {}

/// The system runs alone, sees the world as it is now, and changes it at once.
#[diagnostic::on_unimplemented(
    message = "[ECS0088] the system `{Self}` does not declare that it is sequential",
    label = "sees and changes the world as it is now",
    note = "add `sequential` to `system {Self}` in the declaration of `{D}`"
)]
pub trait IsSequential<D: Declaration> {}

/// The system may see its slices, or those of its inputs.
#[diagnostic::on_unimplemented(
    message = "[ECS0054] the system `{Self}` does not declare that it is slice-dependent",
    label = "shows how the entities were split over subtasks",
    note = "add `slice_dependent` to `system {Self}` in the declaration of `{D}`: its results may then depend on the number of subtasks"
)]
pub trait SliceDependent<D: Declaration> {}

/// The system reads the state and the outputs of the system `S`.
#[diagnostic::on_unimplemented(
    message = "[ECS0055] the system `{Self}` does not declare `{S}` as an input",
    label = "undeclared use of `{S}`",
    note = "add `{S}` to the `inputs: [..]` of `system {Self}` in the declaration of `{D}`"
)]
pub trait Inputs<S, D: Declaration> {}

/// The system reads the members of the query `Q`.
#[diagnostic::on_unimplemented(
    message = "[ECS0086] the system `{Self}` does not declare the query `{Q}`",
    label = "undeclared use of `{Q}`",
    note = "add `{Q}` to the `queries: [..]` of `system {Self}` in the declaration of `{D}`"
)]
pub trait Queries<Q, D: Declaration> {
    /// What the system reads of the members: [`All`], or the system, if it names that.
    type Members;
}

/// A user of the query `Q` that reads all that the query shows.
#[derive(Clone, Copy, Debug)]
pub struct All;

/// A user of the query `Q` reads `C` of its members, all of which have it. `Self` is [`All`], or the user, if it names
/// what it reads.
#[diagnostic::on_unimplemented(
    message = "[ECS0086] the system `{Self}` does not declare that it reads `{C}` of the members of `{Q}`",
    label = "undeclared read of `{C}` of a member",
    note = "add `{C}` to what `system {Self}` names: `queries: [{Q}(..)]`"
)]
pub trait Shows<C, Q, D: Declaration> {}

impl<C, Q: Reads<C, D>, D: Declaration> Shows<C, Q, D> for All {}

/// A user of the query `Q` reads `C` of those of its members that have it: as [`Shows`].
#[diagnostic::on_unimplemented(
    message = "[ECS0086] the system `{Self}` does not declare that it optionally reads `{C}` of the members of `{Q}`",
    label = "undeclared optional read of `{C}` of a member",
    note = "add `{C}` to what `system {Self}` names: `queries: [{Q}(..)]`"
)]
pub trait ShowsOptional<C, Q, D: Declaration> {}

impl<C, Q: ReadsOptional<C, D>, D: Declaration> ShowsOptional<C, Q, D> for All {}

/// The sequential system writes `C` of the members of its queries, if the queries show it.
#[diagnostic::on_unimplemented(
    message = "[ECS0051] the system `{Self}` does not declare that it writes `{C}`",
    label = "undeclared write of `{C}` of a member",
    note = "add `{C}` to the `write: [..]` of `system {Self}` in the declaration of `{D}`, or to its `write_optional: [..]` if own entities need not have it"
)]
pub trait WritesMembers<C, D: Declaration> {}

/// The system receives the items that the system `S` sends.
#[diagnostic::on_unimplemented(
    message = "[ECS0049] the system `{Self}` does not declare that it takes the stream of `{S}`",
    label = "undeclared use of the stream of `{S}`",
    note = "add `{S}` to the `streams: [..]` of `system {Self}` in the declaration of `{D}`"
)]
pub trait Receives<S, D: Declaration> {}

/// The system reads the resource `R`.
#[diagnostic::on_unimplemented(
    message = "[ECS0056] the system `{Self}` does not declare that it reads the resource `{R}`",
    label = "undeclared read of `{R}`",
    note = "add `{R}` to the `read_resources: [..]` of `system {Self}` in the declaration of `{D}`"
)]
pub trait ReadsResource<R, D: Declaration> {}

/// The system writes the resource `R`. This includes reading it.
#[diagnostic::on_unimplemented(
    message = "[ECS0057] the system `{Self}` does not declare that it writes the resource `{R}`",
    label = "undeclared write of `{R}`",
    note = "add `{R}` to the `write_resources: [..]` of `system {Self}` in the declaration of `{D}`"
)]
pub trait WritesResource<R, D: Declaration> {}

/// The system adds to the commutative resource `R`.
#[diagnostic::on_unimplemented(
    message = "[ECS0101] the system `{Self}` does not declare that it adds to the resource `{R}`",
    label = "undeclared addition to `{R}`",
    note = "add `{R}` to the `add: [..]` of `system {Self}` in the declaration of `{D}`"
)]
pub trait Adds<R, D: Declaration> {}

/// The system emits the events of the queue `Q`.
#[diagnostic::on_unimplemented(
    message = "[ECS0120] the system `{Self}` does not declare that it emits the events of `{Q}`",
    label = "undeclared event",
    note = "add the event to the `emit: [..]` of `system {Self}` in the declaration of `{D}`"
)]
pub trait Emits<Q, D: Declaration> {}

/// The system reads the events of the queue `Q`.
#[diagnostic::on_unimplemented(
    message = "[ECS0121] the system `{Self}` does not declare that it reads the events of `{Q}`",
    label = "undeclared read of events",
    note = "add the event to the `on: [..]` of `system {Self}` in the declaration of `{D}`"
)]
pub trait ReadsEvents<Q, D: Declaration> {}

/// The system changes the links of the relation `X`.
#[diagnostic::on_unimplemented(
    message = "[ECS0163] the system `{Self}` does not declare that it changes the links of `{X}`",
    label = "undeclared link",
    note = "add `{X}` to the `link: [..]` of `system {Self}` in the declaration of `{D}`"
)]
pub trait Links<X, D: Declaration> {}

/// The system reads the links of the relation `X`.
#[diagnostic::on_unimplemented(
    message = "[ECS0164] the system `{Self}` does not declare that it reads the links of `{X}`",
    label = "undeclared read of links",
    note = "add `{X}` to the `relations: [..]` of `system {Self}` in the declaration of `{D}`"
)]
pub trait ReadsLinks<X, D: Declaration> {}

/// The system goes along the relation `R`, to parents before their children.
#[diagnostic::on_unimplemented(
    message = "[ECS0165] the system `{Self}` does not declare that it goes to parents before their children",
    label = "undeclared order of entities",
    note = "add `after_parent: Relation` to `system {Self}` in the declaration of `{D}`"
)]
pub trait FollowsParents<D: Declaration> {}

/// The system despawns entities.
#[diagnostic::on_unimplemented(
    message = "[ECS0058] the system `{Self}` does not declare that it despawns entities",
    label = "undeclared `despawn`",
    note = "add `despawn` to `system {Self}` in the declaration of `{D}`"
)]
pub trait Despawns<D: Declaration> {}

/// The system sets the state `M`.
#[diagnostic::on_unimplemented(
    message = "[ECS0134] the system `{Self}` does not declare that it sets the state `{M}`",
    label = "undeclared change of `{M}`",
    note = "add `{M}` to the `set_state: [..]` of `system {Self}` in the declaration of `{D}`"
)]
pub trait SetsState<M, D: Declaration> {}

/// The system draws random numbers.
#[diagnostic::on_unimplemented(
    message = "[ECS0140] the system `{Self}` does not declare that it draws random numbers",
    label = "undeclared `random`",
    note = "add `random` to `system {Self}` in the declaration of `{D}`"
)]
pub trait Draws<D: Declaration> {}

/// The system inserts `C` at the refresh.
#[diagnostic::on_unimplemented(
    message = "[ECS0059] the system `{Self}` does not declare that it inserts `{C}`",
    label = "undeclared insertion of `{C}`",
    note = "add `{C}` to the `insert: [..]` of `system {Self}` in the declaration of `{D}`"
)]
pub trait Inserts<C, D: Declaration> {}

/// The system removes `C` at the refresh.
#[diagnostic::on_unimplemented(
    message = "[ECS0060] the system `{Self}` does not declare that it removes `{C}`",
    label = "undeclared removal of `{C}`",
    note = "add `{C}` to the `remove: [..]` of `system {Self}` in the declaration of `{D}`"
)]
pub trait Removes<C, D: Declaration> {}

/// The system replaces `C` of its own entities, all of which have it, at the refresh.
#[diagnostic::on_unimplemented(
    message = "[ECS0051] the system `{Self}` does not declare that it updates `{C}`",
    label = "undeclared update of `{C}`",
    note = "add `{C}` to the `update: [..]` of `system {Self}` in the declaration of `{D}`"
)]
pub trait Updates<C, D: Declaration>: Reads<C, D> {}

/// The system merges values into `C` of any entity at the refresh.
#[diagnostic::on_unimplemented(
    message = "[ECS0125] the system `{Self}` does not declare that it accumulates into `{C}`",
    label = "undeclared accumulation into `{C}`",
    note = "add `{C}` to the `accumulate: [..]` of `system {Self}` in the declaration of `{D}`"
)]
pub trait Accumulates<C: Accumulate, D: Declaration> {}

/// The system asks which of its own entities' `C` has changed since it last ran.
#[diagnostic::on_unimplemented(
    message = "[ECS0153] the system `{Self}` does not declare that it asks for changes of `{C}`",
    label = "undeclared question about `{C}`",
    note = "add `changed: [{C}]` to `system {Self}` in the declaration of `{D}`"
)]
pub trait AsksChanged<C, D: Declaration> {}

/// The system asks which of its own entities have got a `C` since it last ran.
#[diagnostic::on_unimplemented(
    message = "[ECS0153] the system `{Self}` does not declare that it asks where `{C}` was added",
    label = "undeclared question about `{C}`",
    note = "add `added: [{C}]` to `system {Self}` in the declaration of `{D}`"
)]
pub trait AsksAdded<C, D: Declaration> {}

/// The system reads what was removed of `C` since it last ran.
#[diagnostic::on_unimplemented(
    message = "[ECS0153] the system `{Self}` does not declare that it asks where `{C}` was removed",
    label = "undeclared question about `{C}`",
    note = "add `removed: [{C}]` to `system {Self}` in the declaration of `{D}`"
)]
pub trait AsksRemoved<C, D: Declaration> {}

/// The system spawns entities with tuples of components, or with bundles that the declaration names. Which ones, the
/// table says: by their components, in any order.
#[diagnostic::on_unimplemented(
    message = "[ECS0061] the system `{Self}` does not declare that it spawns entities",
    label = "undeclared spawn",
    note = "add `spawn: [..]`, with the bundle, to `system {Self}` in the declaration of `{D}`"
)]
pub trait Spawns<D: Declaration> {}

/// Stages changes of components until the refresh.
pub(crate) trait StagesChanges {
    /// Stages the component for the row, and what is done with it. `rank` is the component's position among those that
    /// the system changes.
    fn stage<D: HasComponent<C>, C: 'static, P: Put<C>>(
        &mut self,
        rank: usize,
        row: usize,
        component: C,
    );
}

/// [`Inserts`], implemented for the component instead of the system.
///
/// As a bound of a call it makes the compiler look at the argument first. With `N: Inserts<C, D>`
/// the compiler would infer the one component that `N` does insert, and then report a mismatched
/// argument.
pub trait InsertedBy<N, D: Declaration>: Sized + 'static {
    /// The component's index.
    #[doc(hidden)]
    const INDEX: usize;

    /// Stages the component for the row. `rank` is the component's position among those that the system changes.
    #[doc(hidden)]
    #[expect(private_bounds, reason = "sealed: implemented below, for everything")]
    fn stage(self, rank: usize, row: usize, batches: &mut impl StagesChanges);

    /// Gives the row the component now, and returns the one that it had.
    #[doc(hidden)]
    fn put(self, row: usize, storage: &mut Storage) -> Option<Self>;

    /// Gives each live entity its component now, and returns the number of live entities.
    #[doc(hidden)]
    fn put_batch<L: Locate>(pairs: impl Iterator<Item = (L, Self)>, storage: &mut Storage)
    -> usize;
}

impl<C: 'static, N: Inserts<C, D>, D: HasComponent<C>> InsertedBy<N, D> for C {
    const INDEX: usize = <D as HasComponent<C>>::INDEX;

    #[inline]
    #[expect(private_bounds, reason = "as above")]
    fn stage(self, rank: usize, row: usize, batches: &mut impl StagesChanges) {
        batches.stage::<D, C, Insertion>(rank, row, self);
    }

    #[inline]
    fn put(self, row: usize, storage: &mut Storage) -> Option<Self> {
        storage.insert::<D, C>(row, self)
    }

    #[inline]
    fn put_batch<L: Locate>(
        pairs: impl Iterator<Item = (L, Self)>,
        storage: &mut Storage,
    ) -> usize {
        storage.insert_batch::<D, C, L>(pairs)
    }
}

/// [`Updates`], implemented for the component: as [`InsertedBy`].
pub trait UpdatedBy<N, D: Declaration>: Sized + 'static {
    /// The component's index.
    #[doc(hidden)]
    const INDEX: usize;

    /// Stages the component for the row. `rank` is the position of the component's updates.
    #[doc(hidden)]
    #[expect(private_bounds, reason = "sealed: implemented below, for everything")]
    fn stage_update(self, rank: usize, row: usize, batches: &mut impl StagesChanges);
}

impl<C: 'static, N: Updates<C, D>, D: HasComponent<C>> UpdatedBy<N, D> for C {
    const INDEX: usize = <D as HasComponent<C>>::INDEX;

    #[inline]
    #[expect(private_bounds, reason = "as above")]
    fn stage_update(self, rank: usize, row: usize, batches: &mut impl StagesChanges) {
        batches.stage::<D, C, Replacement>(rank, row, self);
    }
}

/// [`Accumulates`], implemented for the component: as [`InsertedBy`].
#[diagnostic::on_unimplemented(
    message = "[ECS0126] the system `{N}` accumulates `{Self}`, which does not say how further values are merged into it",
    label = "does not implement `Accumulate`",
    note = "`accumulate` takes a component: one that implements `ecs_core::Accumulate`"
)]
pub trait AccumulatedBy<N, D: Declaration>: Accumulate + Sized {
    /// The component's index.
    #[doc(hidden)]
    const INDEX: usize;

    /// Stages the component for the row. `rank` is the position of what is accumulated into it.
    #[doc(hidden)]
    #[expect(private_bounds, reason = "sealed: implemented below, for everything")]
    fn stage_accumulation(self, rank: usize, row: usize, batches: &mut impl StagesChanges);
}

impl<C: Accumulate, N: Accumulates<C, D>, D: HasComponent<C>> AccumulatedBy<N, D> for C {
    const INDEX: usize = <D as HasComponent<C>>::INDEX;

    #[inline]
    #[expect(private_bounds, reason = "as above")]
    fn stage_accumulation(self, rank: usize, row: usize, batches: &mut impl StagesChanges) {
        batches.stage::<D, C, Accumulation>(rank, row, self);
    }
}

/// Takes events that are emitted.
pub(crate) trait TakesEvents {
    /// Adds the event to those taken before. `rank` is the position of its queue among what the system adds to and emits.
    fn take_event<D: HasResource<EventQueue<E>>, E: ThreadSafe>(&mut self, rank: usize, event: E);
}

/// [`Emits`], implemented for the event: as [`InsertedBy`].
#[diagnostic::on_unimplemented(
    message = "[ECS0120] the system `{N}` does not declare that it emits `{Self}`",
    label = "undeclared event `{Self}`",
    note = "add `{Self}` to the `emit: [..]` of `system {N}` in the declaration of `{D}`, and `event {Self};` to that, if it is missing; what is `addressed`, it sends: `send(entity, ..)`"
)]
pub trait EmittedBy<N, D: Declaration>: ThreadSafe + Sized {
    /// The index of the queue.
    #[doc(hidden)]
    const INDEX: usize;

    /// Emits the event. `rank` is the position of its queue among what the system adds to and emits.
    #[doc(hidden)]
    #[expect(private_bounds, reason = "sealed: implemented below, for everything")]
    fn emit_to(self, rank: usize, parts: &mut impl TakesEvents);
}

#[diagnostic::do_not_recommend]
impl<E: ThreadSafe, N: Emits<EventQueue<E>, D>, D: HasResource<EventQueue<E>>> EmittedBy<N, D>
    for E
{
    const INDEX: usize = <D as HasResource<EventQueue<E>>>::INDEX;

    #[inline]
    #[expect(private_bounds, reason = "as above")]
    fn emit_to(self, rank: usize, parts: &mut impl TakesEvents) {
        parts.take_event::<D, E>(rank, self);
    }
}

/// [`Emits`], implemented for the content of an addressed event: as [`EmittedBy`].
#[diagnostic::on_unimplemented(
    message = "[ECS0120] the system `{N}` does not declare that it sends `{Self}`",
    label = "undeclared message `{Self}`",
    note = "add `{Self}` to the `emit: [..]` of `system {N}` in the declaration of `{D}`, and `event {Self}: addressed;` to that, if it is missing"
)]
pub trait SentBy<N, D: Declaration>: ThreadSafe + Sized {
    /// What is emitted.
    #[doc(hidden)]
    type Event: EmittedBy<N, D>;

    /// The event for this entity.
    #[doc(hidden)]
    fn to(self, entity: Entity) -> Self::Event;
}

#[diagnostic::do_not_recommend]
impl<M: ThreadSafe, N, D: Declaration> SentBy<N, D> for M
where
    Addressed<M>: EmittedBy<N, D>,
{
    type Event = Addressed<M>;

    #[inline]
    fn to(self, entity: Entity) -> Addressed<M> {
        Addressed { to: entity, message: self }
    }
}

/// [`ReadsEvents`], implemented for the content of an addressed event: as [`ReadAsEventBy`].
#[diagnostic::on_unimplemented(
    message = "[ECS0121] the system `{N}` does not declare that its entities receive `{Self}`",
    label = "undeclared message `{Self}`",
    note = "add `{Self}` to the `on: [..]` of `system {N}` in the declaration of `{D}`, and `event {Self}: addressed;` to that, if it is missing"
)]
pub trait ReceivedBy<N, D: Declaration>: ThreadSafe + Sized {
    /// The index of the queue.
    #[doc(hidden)]
    const INDEX: usize;

    /// The queue.
    #[doc(hidden)]
    #[expect(private_bounds, reason = "sealed: implemented below, for everything")]
    fn messages(resources: &impl HasQueues) -> &EventQueue<Addressed<Self>>;
}

#[diagnostic::do_not_recommend]
impl<M: ThreadSafe, N, D: Declaration> ReceivedBy<N, D> for M
where
    Addressed<M>: ReadAsEventBy<N, D>,
{
    const INDEX: usize = <Addressed<M> as ReadAsEventBy<N, D>>::INDEX;

    #[inline]
    #[expect(private_bounds, reason = "as above")]
    fn messages(resources: &impl HasQueues) -> &EventQueue<Addressed<M>> {
        <Addressed<M> as ReadAsEventBy<N, D>>::queue(resources)
    }
}

/// Has the queues of events.
pub(crate) trait HasQueues {
    /// The queue of the event.
    fn queue<D: HasResource<EventQueue<E>>, E: ThreadSafe>(&self) -> &EventQueue<E>;
}

/// [`ReadsEvents`], implemented for the event: as [`InsertedBy`].
#[diagnostic::on_unimplemented(
    message = "[ECS0121] the system `{N}` does not declare that it reads the events `{Self}`",
    label = "undeclared read of `{Self}`",
    note = "add `{Self}` to the `on: [..]` of `system {N}` in the declaration of `{D}`, and `event {Self};` to that, if it is missing; what is `addressed` is read by `for_messages`"
)]
pub trait ReadAsEventBy<N, D: Declaration>: ThreadSafe + Sized {
    /// The index of the queue.
    #[doc(hidden)]
    const INDEX: usize;

    /// The queue.
    #[doc(hidden)]
    #[expect(private_bounds, reason = "sealed: implemented below, for everything")]
    fn queue(resources: &impl HasQueues) -> &EventQueue<Self>;
}

#[diagnostic::do_not_recommend]
impl<E: ThreadSafe, N: ReadsEvents<EventQueue<E>, D>, D: HasResource<EventQueue<E>>>
    ReadAsEventBy<N, D> for E
{
    const INDEX: usize = <D as HasResource<EventQueue<E>>>::INDEX;

    #[inline]
    #[expect(private_bounds, reason = "as above")]
    fn queue(resources: &impl HasQueues) -> &EventQueue<E> {
        resources.queue::<D, E>()
    }
}

/// Takes values that are added to commutative resources.
pub(crate) trait TakesParts {
    /// Combines the value with those taken before. `rank` is the resource's position among those that the system adds to.
    fn take_part<D: Combines<R>, R: ThreadSafe>(&mut self, rank: usize, part: R);
}

/// [`Adds`], implemented for the resource: as [`InsertedBy`].
#[diagnostic::on_unimplemented(
    message = "[ECS0101] the system `{N}` cannot add to `{Self}`",
    label = "undeclared addition to `{Self}`",
    note = "add `{Self}` to the `add: [..]` of `system {N}` in the declaration of `{D}`, where it is a commutative resource: `resource {Self}: sum;`"
)]
pub trait AddedBy<N, D: Declaration>: ThreadSafe {
    /// The resource's index.
    #[doc(hidden)]
    const INDEX: usize;

    /// Adds the value. `rank` is the resource's position among those that the system adds to.
    #[doc(hidden)]
    #[expect(private_bounds, reason = "sealed: implemented below, for everything")]
    fn add_to(self, rank: usize, parts: &mut impl TakesParts);
}

#[diagnostic::do_not_recommend]
impl<R: ThreadSafe, N: Adds<R, D>, D: Combines<R>> AddedBy<N, D> for R {
    const INDEX: usize = <D as HasResource<R>>::INDEX;

    #[inline]
    #[expect(private_bounds, reason = "as above")]
    fn add_to(self, rank: usize, parts: &mut impl TakesParts) {
        parts.take_part::<D, R>(rank, self);
    }
}

/// The system `N` may spawn entities with the bundle.
///
/// This holds for each tuple of components and each named bundle, if the system [`Spawns`]. The set of components is then
/// checked against the table. For a bundle that puts components of its choice, `world!` implements it.
#[diagnostic::on_unimplemented(
    message = "[ECS0061] the system `{N}` does not declare that it spawns `{Self}`",
    label = "undeclared spawn",
    note = "add `{Self}` to the `spawn: [..]` of `system {N}` in the declaration of `{D}`",
    note = "a bundle is a tuple of components, as in `(Position, Velocity)`, also for one component: `spawn((Life(1.0),))`"
)]
pub trait SpawnedBy<N, D: Declaration>: Sized + 'static {
    /// The bundle as it is stored until the refresh.
    #[doc(hidden)]
    type Stored: Bundle<D> + Send + 'static;

    /// The position in `spawn` of a type whose components the table does not list.
    #[doc(hidden)]
    const POSITION: Option<usize>;

    /// How many entities are known to be spawned with each one.
    #[doc(hidden)]
    const DESCENDANTS: usize = 0;

    /// Converts the bundle.
    #[doc(hidden)]
    fn stored(self) -> Self::Stored;

    /// Spawns the children of entities with such bundles: those that follow from the type.
    #[doc(hidden)]
    #[inline(always)]
    fn spawn_children<F: FamilyBy<N, D>>(parents: F::Parents, family: &mut F) {
        let _ = (parents, family);
    }
}

macro_rules! tuples {
    ($($C:ident),*) => {
        #[diagnostic::do_not_recommend]
        impl<N: Spawns<D>, D: Declaration, $($C: 'static),*> SpawnedBy<N, D> for ($($C,)*)
        where
            $(D: HasComponent<$C>,)*
        {
            type Stored = StagedBundle<D, Self>;

            const POSITION: Option<usize> = None;

            #[inline(always)]
            fn stored(self) -> Self::Stored {
                StagedBundle::of(self)
            }
        }
    };
}

tuples!();
tuples!(A);
tuples!(A, B);
tuples!(A, B, C);
tuples!(A, B, C, E);
tuples!(A, B, C, E, F);
tuples!(A, B, C, E, F, G);
tuples!(A, B, C, E, F, G, H);
tuples!(A, B, C, E, F, G, H, I);
tuples!(A, B, C, E, F, G, H, I, J);
tuples!(A, B, C, E, F, G, H, I, J, K);
tuples!(A, B, C, E, F, G, H, I, J, K, L);
tuples!(A, B, C, E, F, G, H, I, J, K, L, M);

/// The system defers arbitrary functions to the refresh.
#[diagnostic::on_unimplemented(
    message = "[ECS0062] the system `{Self}` does not declare that it defers functions",
    label = "undeclared `defer`",
    note = "add `defer` to `system {Self}` in the declaration of `{D}`"
)]
pub trait Defers<D: Declaration> {}
