//! The library's indices: by key, by cell, and by cell within bounds.

use core::marker::PhantomData;
use core::ops::Range;

use super::bounds::{Bounds, Runs};
use super::function::KeyFunction;
use super::grid::{Cell, Grid, Neighbours};
use super::index::{Form, KeysOf, Records, from_keys};
use super::key::{FromKeys, Hashed, InCell, Key, Record};
use super::members::Members;
use super::sorted::{Placed, Sorted};
use crate::entity::Place;
use crate::parallel::ForkJoin;
use crate::proxy::for_tuples;
use crate::proxy::query::{ApartFromRead, HandsOutOnce, QueryFor, assert_allowed};
use crate::signature::access::Reads;
use crate::signature::{Declaration, HasComponent, Item, Own, QueryTerms, SystemName};
use crate::state::{Core, opaque_debug};
use crate::types::{Brand, Component, Sealed, ThreadSafe};

/// A component that has a place in a plane or in space: `index: by_cell(Position, 4.0)`.
///
/// ```
/// use ecs_core::joins::Coordinates;
///
/// struct Position {
///     x: f32,
///     y: f32,
/// }
///
/// impl Coordinates for Position {
///     type Point = [f32; 2];
///
///     fn coordinates(&self) -> [f32; 2] {
///         [self.x, self.y]
///     }
/// }
/// # assert_eq!(Position { x: 1.0, y: 2.0 }.coordinates(), [1.0, 2.0]);
/// ```
#[diagnostic::on_unimplemented(
    message = "[ECS0069] `{Self}` has no coordinates",
    label = "its cell is unknown",
    note = "implement `ecs_core::joins::Coordinates` for `{Self}`",
    note = "or say what they are: `by_cell(|component: &{Self}| -> [f32; 2] {{ .. }}, size)`"
)]
pub trait Coordinates: Component {
    /// `[f32; 2]` in a plane, `[f32; 3]` in space.
    type Point: Point;

    /// The coordinates.
    fn coordinates(&self) -> Self::Point;
}

/// Coordinates: `[f32; 2]` in a plane, `[f32; 3]` in space.
///
/// ```
/// use ecs_core::joins::Point;
///
/// fn dimensions<P: Point>(_: P) -> usize {
///     size_of::<P>() / size_of::<f32>()
/// }
/// assert_eq!(dimensions([1.0, 2.0]), 2);
/// assert_eq!(dimensions([1.0, 2.0, 3.0]), 3);
/// ```
#[diagnostic::on_unimplemented(
    message = "[ECS0069] `{Self}` is not a point",
    label = "not as in `[f32; 2]` or `[f32; 3]`",
    note = "coordinates are an array of `f32`, one for each dimension"
)]
pub trait Point: Copy + ThreadSafe {
    /// The cell of a grid.
    type Cell: Hashed;

    /// The cells of a box.
    #[doc(hidden)]
    type Bounds: Copy + ThreadSafe;

    /// Iterates over a cell and those around it.
    #[doc(hidden)]
    type Neighbours: Iterator<Item = Self::Cell> + Clone;

    /// Iterates over the numbers of a cell and of those around it.
    #[doc(hidden)]
    type Runs: Iterator<Item = Range<usize>> + Clone;

    /// The cell of a grid that a point lies in.
    #[doc(hidden)]
    fn cell(self, size: f32) -> Self::Cell;

    /// That cell and those around it.
    #[doc(hidden)]
    fn around(self, size: f32) -> impl Iterator<Item = Self::Cell>;

    /// The cells from this point to another one.
    #[doc(hidden)]
    #[track_caller]
    fn bounds(self, most: Self, size: f32) -> Self::Bounds;

    /// The number of the cell that a point belongs to.
    #[doc(hidden)]
    fn number(self, bounds: &Self::Bounds) -> usize;

    /// The numbers of that cell and of those around it.
    #[doc(hidden)]
    fn numbers_around(
        self,
        bounds: &Self::Bounds,
    ) -> impl Iterator<Item = Range<usize>> + use<Self>;

    /// The same as `around`, as a type that has a name.
    #[doc(hidden)]
    fn neighbours(self, size: f32) -> Self::Neighbours;

    /// The same as `numbers_around`, as a type that has a name.
    #[doc(hidden)]
    fn runs(self, bounds: &Self::Bounds) -> Self::Runs;

    /// The number that all numbers are below.
    #[doc(hidden)]
    #[expect(private_interfaces, reason = "sealed: only this crate implements it")]
    fn count(bounds: &Self::Bounds, _: Sealed) -> usize;
}

impl<const N: usize> Point for [f32; N] {
    type Cell = Cell<N>;
    type Bounds = Bounds<N>;
    type Neighbours = Neighbours<N>;
    type Runs = Runs<N>;

    #[inline]
    fn cell(self, size: f32) -> Cell<N> {
        Grid::new(size).cell(self)
    }

    #[inline]
    fn around(self, size: f32) -> impl Iterator<Item = Cell<N>> {
        self.cell(size).neighbours()
    }

    fn bounds(self, most: Self, size: f32) -> Bounds<N> {
        Bounds::new(size, self, most)
    }

    #[inline]
    fn number(self, bounds: &Bounds<N>) -> usize {
        bounds.number(self)
    }

    #[inline]
    fn numbers_around(self, bounds: &Bounds<N>) -> impl Iterator<Item = Range<usize>> + use<N> {
        bounds.around(self)
    }

    #[inline]
    fn neighbours(self, size: f32) -> Neighbours<N> {
        Neighbours::of(self.cell(size))
    }

    #[inline]
    fn runs(self, bounds: &Bounds<N>) -> Runs<N> {
        bounds.runs(self)
    }

    #[expect(private_interfaces, reason = "sealed")]
    fn count(bounds: &Bounds<N>, _: Sealed) -> usize {
        bounds.count()
    }
}

/// `index: by_key(Team)`, and `index: by_key(|team: &Team| -> u8 { team.0 })`: members by a component, or by what a
/// function makes of it.
pub struct ByKey<C, K> {
    key: KeyFunction<C, (), K>,
    names: Brand<(C, K)>,
}

opaque_debug! { [C, K] ByKey<C, K> }

impl<C, K> ByKey<C, K> {
    /// Members by what the function makes of the component.
    #[must_use]
    pub const fn of<F: Fn(&C) -> K + Copy + ThreadSafe>(key: F) -> Self {
        Self { key: KeyFunction::of(move |component, ()| key(component)), names: PhantomData }
    }

    /// The key of this one.
    #[inline]
    pub(super) fn key(&self, component: &C) -> K {
        self.key.key(component, ())
    }
}

impl<C: Component, K: Key> Form for ByKey<C, K> {
    type Key = K;
}

impl<D, N, C, K> KeysOf<D, N> for ByKey<C, K>
where
    D: HasComponent<C>,
    N: SystemName<D> + Reads<C, D>,
    C: Component,
    K: Key<Table: FromKeys<K>>,
{
    #[expect(private_interfaces, reason = "sealed")]
    fn collect(&self, own: &mut Own<'_, D, N>, records: &mut Records<K>, _: Sealed) {
        own.for_slices(|first, components| self.key.append(components, (), first, records));
    }

    from_keys!();
}

/// `index: by_cell(Position, 4.0)`, and `index: by_cell(|at: &Position| -> [f32; 2] { at.0 }, 4.0)`: members by the cell
/// of a [`Grid`] without bounds.
pub struct ByCell<C, P: Point> {
    cell: KeyFunction<C, f32, P::Cell>,
    size: f32,
    names: Brand<(C, P)>,
}

opaque_debug! { [C, P: Point] ByCell<C, P>: |this| size = this.size }

impl<C, P: Point> ByCell<C, P> {
    /// Cells of this size.
    ///
    /// # Panics
    /// If the size is not positive and finite.
    #[must_use]
    #[track_caller]
    pub const fn of<F: Fn(&C) -> P + Copy + ThreadSafe>(point: F, size: f32) -> Self {
        let cell = KeyFunction::of(move |component, size| point(component).cell(size));
        Self { cell, size: Grid::<2>::new(size).size(), names: PhantomData }
    }

    /// The size of the cells.
    pub(super) fn size(&self) -> f32 {
        self.size
    }

    /// The cell of this one.
    #[inline]
    pub(super) fn cell(&self, component: &C) -> P::Cell {
        self.cell.key(component, self.size)
    }
}

impl<C: Component, P: Point> Form for ByCell<C, P> {
    type Key = P::Cell;
}

impl<D, N, C, P> KeysOf<D, N> for ByCell<C, P>
where
    D: HasComponent<C>,
    N: SystemName<D> + Reads<C, D>,
    C: Component,
    P: Point,
{
    #[expect(private_interfaces, reason = "sealed")]
    fn collect(&self, own: &mut Own<'_, D, N>, records: &mut Records<P::Cell>, _: Sealed) {
        own.for_slices(|first, components| {
            self.cell.append(components, self.size, first, records);
        });
    }

    from_keys!();
}

/// `index: by_cell(Position, 4.0).within(LEAST, MOST)`: members by the cell of a box, sorted, with copies `V` of what the
/// query reads.
pub struct InBounds<C, P: Point, V> {
    cell: KeyFunction<C, P::Bounds, InCell<V>>,
    bounds: P::Bounds,
    names: Brand<(C, P, V)>,
}

opaque_debug! { [C, P: Point, V] InBounds<C, P, V> }

impl<C, P: Point, V> InBounds<C, P, V> {
    /// Cells of this size between two points. A point outside belongs to the nearest cell.
    ///
    /// # Panics
    /// If the size is not positive and finite; if a coordinate of `least` is not below that of `most`, or not finite; or if
    /// there are 2³¹ cells or more.
    #[must_use]
    #[track_caller]
    pub fn of<F>(point: F, size: f32, least: P, most: P) -> Self
    where
        F: Fn(&C) -> P + Copy + ThreadSafe,
    {
        let cell = KeyFunction::of(move |component, bounds| InCell::at(point(component), &bounds));
        Self { cell, bounds: least.bounds(most, size), names: PhantomData }
    }

    /// The cells.
    pub(super) fn bounds(&self) -> &P::Bounds {
        &self.bounds
    }

    /// The number of cells.
    pub(super) fn count(&self) -> usize {
        P::count(&self.bounds, Sealed(()))
    }

    /// The cell of this one.
    #[inline]
    pub(super) fn cell(&self, component: &C) -> InCell<V> {
        self.cell.key(component, self.bounds)
    }
}

impl<C: Component, P: Point, V: Copy + ThreadSafe> Form for InBounds<C, P, V> {
    type Key = InCell<V>;
}

impl<D, N, C, P, V> KeysOf<D, N> for InBounds<C, P, V>
where
    D: HasComponent<C>,
    N: SystemName<D> + Reads<C, D>,
    C: Component,
    P: Point,
    V: CopyOf<D, Terms: QueryFor<D, N> + HandsOutOnce<D, Parts: ApartFromRead<C, D>>>,
{
    #[expect(private_interfaces, reason = "sealed")]
    fn collect(&self, own: &mut Own<'_, D, N>, records: &mut Records<InCell<V>>, _: Sealed) {
        own.for_slices(|first, components| {
            self.cell.append(components, self.bounds, first, records);
        });
    }

    /// Copies are read by the sort, so that records are small.
    #[expect(private_interfaces, reason = "sealed")]
    unsafe fn make<'a>(
        &self,
        table: &mut Sorted<V>,
        core: &Core<D>,
        executor: &impl ForkJoin,
        records: &(impl Iterator<Item = &'a [Record<InCell<V>>]> + Clone + Sync),
    ) {
        const { assert_allowed::<D, N, V::Terms>() };
        const { assert!(V::Terms::WRITES.is_empty(), "copied terms write nothing") };
        table.sort(executor, self.count(), records, &|| {
            // SAFETY: by the constants above; this is an execution of the query, by the contract.
            let members = unsafe { Members::<D, V::Terms>::of::<N>(core) };
            move |&(_, row): &Record<InCell<V>>| {
                // SAFETY: the row is in the subscription, by the contract.
                let shown = unsafe { members.of_member(row as usize) };
                Placed { value: V::of(shown), place: Place::of(row as usize) }
            }
        });
    }
}

/// A copy of what a query reads of a member: a tuple of [`Copied`].
pub trait CopyOf<D: Declaration>: Copy + ThreadSafe {
    /// What is copied.
    #[doc(hidden)]
    type Terms: QueryTerms<D>;

    /// The copy.
    #[doc(hidden)]
    fn of(terms: Item<'_, Self::Terms, D>) -> Self;
}

/// A copy of the component `C`.
#[derive(Debug)]
pub struct Copied<C>(
    /// The component.
    pub C,
);

#[expect(
    clippy::expl_impl_clone_on_copy,
    reason = "a derived impl would ask for `Clone`, not `CopyComponent`"
)]
impl<C: CopyComponent> Clone for Copied<C> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}

impl<C: CopyComponent> Copy for Copied<C> {}

/// A component that a bounded grid can copy.
#[diagnostic::on_unimplemented(
    message = "[ECS0069] `{Self}` is not `Copy`, and a bounded grid holds copies",
    label = "cannot be copied",
    note = "derive `Clone` and `Copy` for `{Self}`; or leave out `.within(..)`; or, if it is a component, read it through another query"
)]
pub trait CopyComponent: Component + Copy {}

#[diagnostic::do_not_recommend]
impl<C: Component + Copy> CopyComponent for C {}

impl<D: HasComponent<C>, C: CopyComponent> CopyOf<D> for Copied<C> {
    type Terms = &'static C;

    #[inline(always)]
    fn of(component: &C) -> Self {
        Self(*component)
    }
}

macro_rules! copies {
    ($($V:ident $item:ident),+) => {
        impl<D: Declaration, $($V: CopyOf<D>),+> CopyOf<D> for ($($V,)+) {
            type Terms = ($($V::Terms,)+);

            #[inline(always)]
            fn of(($($item,)+): Item<'_, Self::Terms, D>) -> Self {
                ($($V::of($item),)+)
            }
        }
    };
}

for_tuples! { copies: A a, B b, C c, E e, F f, G g, H h, I i, J j, K k, L l, M m }
