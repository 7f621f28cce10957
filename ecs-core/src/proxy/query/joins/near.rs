//! The members of a query that are near a point.

use core::fmt;
use core::marker::PhantomData;
use core::ops::Range;

use super::forms::{ByCell, CopyOf, InBounds, Point};
use super::index::{HasIndex, KeyOf, table};
use super::key::InCell;
use super::lookup::Lookup;
use super::sorted::{Placed, Sorted};
use crate::entity::{Entity, Place};
use crate::proxy::data::joins::Indexed;
use crate::proxy::for_tuples;
use crate::rows::SparseSet;
use crate::signature::{Declaration, HasComponent, Item, QueryTerms, SystemName};
use crate::state::{Core, opaque_debug};
use crate::types::{Brand, Component};

/// A query with an index by cell, with or without bounds, that can show `T` of the members in the cells around a point.
///
/// ```
/// # use ecs_core::{Data, Declaration, Entity, MemberFor, SystemName};
/// use ecs_core::access::Queries;
/// use ecs_core::joins::{HasCells, PointOf};
///
/// /// How many members are near the point, for each query with an index by cell.
/// fn count<D: Declaration, N, Q>(data: &Data<'_, D, N>, point: PointOf<Q, Entity, D>) -> usize
/// where
///     Q: SystemName<D, System: HasCells<D, Q, Entity>>,
///     N: SystemName<D> + Queries<Q, D>,
///     Entity: MemberFor<D, N, Q>,
/// {
///     data.effects.near::<Q, Entity>().at(point).count()
/// }
/// # struct Position([f32; 2]);
/// # ecs_core::world! {
/// #     world Plane;
/// #     component Position;
/// #     query Cells { index: by_cell(|p: &Position| -> [f32; 2] { p.0 }, 1.0) }
/// #     system Count {
/// #         queries: [Cells],
/// #         run: |data| assert_eq!(count::<_, _, Cells>(data, [0.5, 0.5]), 2),
/// #     }
/// # }
/// # let mut world = ecs_core::World::<Plane>::new();
/// # world.spawn_batch([0.0, 1.0, 9.0].map(|x| (Position([x, x]),)));
/// # world.tick().unwrap();
/// ```
#[diagnostic::on_unimplemented(
    message = "[ECS0087] the query `{Q}` cannot show `{T}` of the members that are near a point",
    label = "not found by cell",
    note = "declare `index: by_cell(Component, size)` in the query; with `.within(..)`, what it shows is `&C` of the components that it reads, `Entity` and `Place`"
)]
pub trait HasCells<D: Declaration, Q, T: QueryTerms<D>>: HasIndex {
    /// The type of a point.
    type Point: Point;

    /// The members by cell.
    #[doc(hidden)]
    type Cells<'w>: Copy;

    /// The members of the query by cell.
    ///
    /// # Safety
    /// As for `Members::of`.
    #[doc(hidden)]
    #[expect(private_interfaces, reason = "sealed: only this crate implements it")]
    unsafe fn cells<'w>(core: &'w Core<D>) -> Self::Cells<'w>
    where
        Q: SystemName<D, System = Self>;

    /// The members in the cells around the point.
    #[doc(hidden)]
    fn near<'w>(cells: Self::Cells<'w>, point: Self::Point)
    -> impl Iterator<Item = Item<'w, T, D>>;
}

impl<D, Q, T, C, P> HasCells<D, Q, T> for Indexed<ByCell<C, P>>
where
    D: Declaration,
    T: QueryTerms<D>,
    C: Component,
    P: Point,
{
    type Point = P;
    type Cells<'w> = (Lookup<'w, D, P::Cell, T>, f32);

    #[expect(private_interfaces, reason = "sealed")]
    unsafe fn cells<'w>(core: &'w Core<D>) -> Self::Cells<'w>
    where
        Q: SystemName<D, System = Self>,
    {
        let (index, _) = table::<D, Q>(core);
        // SAFETY: the caller upholds the contract.
        (unsafe { Lookup::of::<Q>(core) }, index.size())
    }

    #[inline]
    fn near<'w>(
        (members, size): Self::Cells<'w>,
        point: P,
    ) -> impl Iterator<Item = Item<'w, T, D>> {
        point.around(size).flat_map(move |cell| members.at(cell))
    }
}

/// The members of a query with a bounded grid.
pub struct Sight<'w, P: Point, V> {
    bounds: P::Bounds,
    sorted: &'w Sorted<V>,
    entities: &'w [Entity],
    /// The members, if there are fewer than when the index was made.
    set: Option<&'w SparseSet>,
}

impl<P: Point, V> Sight<'_, P, V> {
    /// Whether it is a member still.
    #[inline]
    fn has(&self, member: &Placed<V>) -> bool {
        let Some(set) = self.set else { return true };
        set.contains(member.place.row() as usize)
    }
}

impl<P: Point, V> Clone for Sight<'_, P, V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P: Point, V> Copy for Sight<'_, P, V> {}

opaque_debug! { [P: Point, V] Sight<'_, P, V>: |this| members = this.sorted }

impl<D, Q, T, C, P, V> HasCells<D, Q, T> for Indexed<InBounds<C, P, V>>
where
    D: Declaration,
    Q: SystemName<D, System = Self>,
    T: CopyTerms<D, Q>,
    C: Component,
    P: Point,
    V: CopyOf<D>,
{
    type Point = P;
    type Cells<'w> = Sight<'w, P, V>;

    #[expect(private_interfaces, reason = "sealed")]
    unsafe fn cells<'w>(core: &'w Core<D>) -> Self::Cells<'w>
    where
        Q: SystemName<D, System = Self>,
    {
        let (index, sorted) = table::<D, Q>(core);
        let set = &core.subscriptions[Q::INDEX].set;
        // Until the next refresh, members only leave.
        let set = (set.len() != sorted.all().len()).then_some(set);
        Sight { bounds: *index.bounds(), sorted, entities: core.storage.entities.rows(), set }
    }

    #[inline]
    fn near<'w>(cells: Self::Cells<'w>, point: P) -> impl Iterator<Item = Item<'w, T, D>> {
        let terms: Brand<(D, Q, T)> = PhantomData;
        Around { runs: point.numbers_around(&cells.bounds), cells, run: &[], terms }
    }
}

/// The members in the cells around a point of a bounded grid.
struct Around<'w, D, Q, T, P, V, Runs>
where
    P: Point,
{
    /// The numbers of the cells from the next run on.
    runs: Runs,
    cells: Sight<'w, P, V>,
    /// The rest of the current run.
    run: &'w [Placed<V>],
    terms: Brand<(D, Q, T)>,
}

impl<'w, D, Q, T, P, V, Runs> Iterator for Around<'w, D, Q, T, P, V, Runs>
where
    D: Declaration,
    Q: SystemName<D, System: HasIndex<Key: HasCopies<Copies = V>>>,
    T: CopyTerms<D, Q>,
    P: Point,
    Runs: Iterator<Item = Range<usize>>,
{
    type Item = Item<'w, T, D>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let [member, rest @ ..] = self.run else {
                self.run = self.cells.sorted.run(self.runs.next()?);
                continue;
            };
            self.run = rest;
            if self.cells.has(member) {
                return Some(T::of_copy(member, self.cells.entities));
            }
        }
    }

    #[inline(always)]
    fn fold<B, F: FnMut(B, Self::Item) -> B>(self, first: B, mut f: F) -> B {
        let mut folded = Some(first);
        self.for_each(|item| folded = folded.take().map(|folded| f(folded, item)));
        folded.expect("`f` has returned")
    }

    /// A loop over slices, and no adapters, each of which would be a call for each member in a build that is not
    /// optimised.
    #[inline(always)]
    fn for_each<F: FnMut(Self::Item)>(mut self, mut f: F) {
        let cells = self.cells;
        let mut run = self.run;
        loop {
            let (mut at, len) = (0, run.len());
            while at < len {
                let member = &run[at];
                at += 1;
                if cells.set.is_none() || cells.has(member) {
                    f(T::of_copy(member, cells.entities));
                }
            }
            let Some(numbers) = self.runs.next() else { return };
            run = cells.sorted.run(numbers);
        }
    }
}

/// The copies that the bounded grid of the query `Q` has of each member.
type CopiesOf<Q, D> = <KeyOf<Q, D> as HasCopies>::Copies;

/// A key with copies.
pub trait HasCopies {
    /// The copies.
    type Copies;
}

impl<V> HasCopies for InCell<V> {
    type Copies = V;
}

/// The query has a bounded grid, with a copy of each member's `C`.
#[diagnostic::on_unimplemented(
    message = "[ECS0087] the bounded grid of the query `{Self}` has no copies of `{C}`",
    label = "not in the grid",
    note = "add `{C}` to the `read: [..]` of `query {Self}` in the declaration of `{D}`"
)]
pub trait Copies<C, D: Declaration> {
    /// All copies of a member.
    type Copies;

    /// The copy of its `C`.
    #[doc(hidden)]
    fn copy(copies: &Self::Copies) -> &C;
}

/// What a query with a bounded grid can show of its members: their copies.
#[diagnostic::on_unimplemented(
    message = "[ECS0087] the bounded grid of the query `{Q}` has no copy for `{Self}`",
    label = "not in the grid",
    note = "ask for `&C` with a component `C` that the query reads, for `Entity`, for `Place`, or for a tuple of these"
)]
pub trait CopyTerms<D, Q>: QueryTerms<D>
where
    D: Declaration,
    Q: SystemName<D, System: HasIndex<Key: HasCopies>>,
{
    /// What is asked for, of a member.
    #[doc(hidden)]
    fn of_copy<'a>(member: &'a Placed<CopiesOf<Q, D>>, entities: &'a [Entity])
    -> Item<'a, Self, D>;
}

impl<D, Q, C> CopyTerms<D, Q> for &C
where
    D: HasComponent<C>,
    Q: SystemName<D, System: HasIndex<Key: HasCopies>> + Copies<C, D, Copies = CopiesOf<Q, D>>,
    C: 'static,
{
    #[inline(always)]
    fn of_copy<'a>(member: &'a Placed<CopiesOf<Q, D>>, _: &'a [Entity]) -> &'a C {
        Q::copy(&member.value)
    }
}

impl<D, Q> CopyTerms<D, Q> for Entity
where
    D: Declaration,
    Q: SystemName<D, System: HasIndex<Key: HasCopies>>,
{
    #[inline(always)]
    fn of_copy<'a>(member: &'a Placed<CopiesOf<Q, D>>, entities: &'a [Entity]) -> Entity {
        entities[member.place.row() as usize]
    }
}

impl<D, Q> CopyTerms<D, Q> for Place
where
    D: Declaration,
    Q: SystemName<D, System: HasIndex<Key: HasCopies>>,
{
    #[inline(always)]
    fn of_copy<'a>(member: &'a Placed<CopiesOf<Q, D>>, _: &'a [Entity]) -> Place {
        member.place
    }
}

macro_rules! tuple_copies {
    ($($T:ident $item:ident),+) => {
        impl<D, Query, $($T: CopyTerms<D, Query>),+> CopyTerms<D, Query> for ($($T,)+)
        where
            D: Declaration,
            Query: SystemName<D, System: HasIndex<Key: HasCopies>>,
        {
            #[inline(always)]
            fn of_copy<'a>(
                member: &'a Placed<CopiesOf<Query, D>>,
                entities: &'a [Entity],
            ) -> Item<'a, Self, D> {
                ($($T::of_copy(member, entities),)+)
            }
        }
    };
}

for_tuples! { tuple_copies: A a, B b, C c, E e, F f, G g, H h, I i, J j, K k, L l, M m }

/// The members of a query by cell, with what `T` asks for of each, to read.
///
/// It is `Copy`, like [`Members`](super::Members).
///
/// ```
/// # use ecs_core::{World, world};
/// # struct Position([f32; 2]);
/// world! {
///     world Plane;
///     component Position;
///     query Cells { index: by_cell(|position: &Position| -> [f32; 2] { position.0 }, 1.0) }
///     system Count {
///         read: [Position],
///         queries: [Cells],
///         output: Vec<usize>,
///         run: |data| {
///             let (own, effects) = (&mut data.own, &mut data.effects);
///             let cells = effects.near::<Cells, &Position>();
///             own.for_entities(|e| effects.output().push(cells.at(e.position.0).count()));
///         },
///     }
/// }
/// # let mut world = World::<Plane>::new();
/// # world.spawn_batch([0.0, 1.0, 9.0].map(|x| (Position([x, x]),)));
/// # world.step(|step| {
/// #     step.execute_systems();
/// #     assert!(step.outputs_of::<Count>().flatten().eq(&[2, 2, 1]));
/// # }).unwrap();
/// ```
pub struct Near<'w, D: Declaration, Q: SystemName<D>, T: QueryTerms<D>>
where
    Q::System: HasCells<D, Q, T>,
{
    cells: <Q::System as HasCells<D, Q, T>>::Cells<'w>,
}

impl<D: Declaration, Q: SystemName<D>, T: QueryTerms<D>> Clone for Near<'_, D, Q, T>
where
    Q::System: HasCells<D, Q, T>,
{
    fn clone(&self) -> Self {
        *self
    }
}

impl<D: Declaration, Q: SystemName<D>, T: QueryTerms<D>> Copy for Near<'_, D, Q, T> where
    Q::System: HasCells<D, Q, T>
{
}

impl<D: Declaration, Q: SystemName<D>, T: QueryTerms<D>> fmt::Debug for Near<'_, D, Q, T>
where
    Q::System: HasCells<D, Q, T>,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Near").finish_non_exhaustive()
    }
}

/// The points that the members of the query `Q` are found by.
///
/// ```
/// use ecs_core::joins::PointOf;
///
/// # struct Position([f32; 2]);
/// ecs_core::world! {
///     world Plane;
///     component Position;
///     query Cells { index: by_cell(|position: &Position| -> [f32; 2] { position.0 }, 1.0) }
///     system Look { queries: [Cells], run: |_| {} }
/// }
/// let origin: PointOf<Cells, &Position, Plane> = [0.0, 0.0];
/// # let _ = origin;
/// ```
pub type PointOf<Q, T, D> = <<Q as SystemName<D>>::System as HasCells<D, Q, T>>::Point;

impl<'w, D: Declaration, Q: SystemName<D>, T: QueryTerms<D>> Near<'w, D, Q, T>
where
    Q::System: HasCells<D, Q, T>,
{
    /// The members of the query `Q`, by cell.
    ///
    /// # Safety
    /// As for [`Members::of`](super::Members).
    ///
    /// # Panics
    /// As [`table`].
    pub(crate) unsafe fn of(core: &'w Core<D>) -> Self {
        // SAFETY: the caller upholds the contract.
        Self { cells: unsafe { Q::System::cells(core) } }
    }

    /// The members in the cell of the point and in the cells around it: all that are nearer than the size of the cells on
    /// each axis, and others. They come in ascending order of cells, by one axis after the other, and of rows in each
    /// cell. O(cells + members in them).
    ///
    /// Two coordinates are nearer than the size if their difference, as `f32`, is below it. Within bounds this holds for
    /// less than 2²⁵ cells on an axis, which would take 400 megabytes.
    #[inline]
    pub fn at(self, point: PointOf<Q, T, D>) -> impl Iterator<Item = Item<'w, T, D>> {
        Q::System::near(self.cells, point)
    }
}
