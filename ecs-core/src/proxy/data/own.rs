//! The entities of one subtask.

use core::marker::PhantomData;

use crate::entity::{Entity, Place};
use crate::proxy::effects::assert_slice_dependent;
use crate::proxy::query;
use crate::proxy::query::{Entries, QueryFor, Visit};
use crate::rows::{PAGE_ROWS, Slice, SparseSet};
use crate::signature::access::SliceDependent;
use crate::signature::codegen_unit::CodegenUnit as _;
use crate::signature::{Declaration, Item, Own, QueryTerms, SystemName};
use crate::storage::{PhaseCell, Storage};
use crate::types::Brand;

impl<'w, D: Declaration, N: SystemName<D>> Own<'w, D, N> {
    /// The entities of `slice`.
    ///
    /// # Safety
    /// `slice` must be a slice of `set`, and `set` the subscription of `N` in the world of `storage`. The value
    /// is for one subtask of `N`, which has exclusive access to the slice for `'w`.
    #[inline(always)]
    pub(crate) unsafe fn new(
        storage: &'w PhaseCell<Storage>,
        set: &'w SparseSet,
        slice: Slice,
    ) -> Self {
        Self { storage, set, slice, right: PhantomData, names: PhantomData }
    }

    /// Calls `f` for each entity of this subtask, with a named reference to each component that
    /// the system reads or writes. O(entities).
    ///
    /// Where rows are contiguous, this is a loop over slices of those components that have their own
    /// `contiguous_buffer`. The compiler can vectorise it, unless the system stages work. This is the thesis's
    /// `for_entities`.
    #[inline(always)]
    pub fn for_entities(&mut self, f: impl FnMut(N::Entry<'_>)) {
        N::CodegenUnit::for_entities(self, f);
    }

    /// The loop of [`for_entities`](Self::for_entities).
    #[inline(always)]
    pub(crate) fn walk(&mut self, f: impl FnMut(N::Entry<'_>)) {
        const { query::assert_allowed::<D, N, N::Terms>() };
        // SAFETY: the constant above shows that the entities of `N` have what the terms require and that `N` may
        // access it. The table orders every system that would access the same components of the same entities
        // (`signature::check`). No other subtask of `N` has a row of this slice. `&mut self` prevents other access by
        // this subtask meanwhile.
        unsafe {
            let table = N::Terms::table(self.storage, self.set.rows_of(self.slice));
            let (pages, ranges) = (self.set.pages(self.slice), const { by_ranges::<D, N>() });
            query::for_each::<D, N::Terms>(
                table,
                pages,
                ranges,
                ByName { f, system: PhantomData::<N> },
            );
        }
    }

    /// The entities of this subtask, one after the other, each with a named reference to each component that the
    /// system reads or writes: what [`for_entities`](Self::for_entities) calls its function with, for `for` loops, with
    /// `break`, `?` and the adapters of [`Iterator`]. O(entities).
    ///
    /// ```
    /// # use ecs_core::{Data, World, world};
    /// # struct Fuel(f32);
    /// world! {
    ///     world Rockets;
    ///     component Fuel;
    ///     system Burn { write: [Fuel], run: burn }
    /// }
    ///
    /// /// Burns four units of fuel, of the first rockets that have some.
    /// fn burn(data: &mut Data<'_, Rockets, Burn>) {
    ///     let mut rest = 4.0;
    ///     for rocket in data.own.iter().filter(|rocket| rocket.fuel.0 > 0.0) {
    ///         let burnt = rocket.fuel.0.min(rest);
    ///         rocket.fuel.0 -= burnt;
    ///         rest -= burnt;
    ///         if rest == 0.0 {
    ///             break;
    ///         }
    ///     }
    /// }
    /// # let mut world = World::<Rockets>::new();
    /// # world.spawn_batch([0.0, 3.0, 2.0, 5.0].map(|fuel| (Fuel(fuel),)));
    /// # world.tick().unwrap();
    /// # assert!(world.iter::<&Fuel>().map(|fuel| fuel.0).eq([0.0, 0.0, 1.0, 5.0]));
    /// ```
    ///
    /// A `for` loop over it is vectorised if all rows are one run: see [`Iter`](crate::Iter).
    #[inline(always)]
    pub fn iter(&mut self) -> Entries<'_, D, N> {
        const { query::assert_allowed::<D, N, N::Terms>() };
        let table = N::Terms::table(self.storage, self.set.rows_of(self.slice));
        // SAFETY: as in `for_entities`, by the constant above; `self` is borrowed as long as the iterator lives.
        Entries::new(unsafe {
            query::Iter::over(table, self.set, self.slice, const { by_ranges::<D, N>() })
        })
    }

    /// Calls `f` for each entity of this subtask, with its [`Place`] and with what [`for_entities`](Self::for_entities) gives.
    /// O(entities).
    ///
    /// Use it to despawn few of many entities: effects take a place as they take a handle, and a loop that uses no handle
    /// reads none.
    ///
    /// ```
    /// # use ecs_core::{Data, World, world};
    /// # struct Health(i32);
    /// world! {
    ///     world Arena;
    ///     component Health;
    ///     system Fall { read: [Health], despawn, run: fall }
    /// }
    ///
    /// fn fall(data: &mut Data<'_, Arena, Fall>) {
    ///     let Data { own, effects, .. } = data;
    ///     own.for_placed(|place, fighter| {
    ///         if fighter.health.0 <= 0 {
    ///             effects.despawn(place);
    ///         }
    ///     });
    /// }
    /// # let mut world = World::<Arena>::new();
    /// # world.spawn_batch([0, 3, -1].map(|health| (Health(health),)));
    /// # world.tick().unwrap();
    /// # assert!(world.iter::<&Health>().map(|health| health.0).eq([3]));
    /// ```
    #[inline(always)]
    pub fn for_placed(&mut self, mut f: impl FnMut(Place, N::Entry<'_>)) {
        const { query::assert_allowed::<D, N, (Place, N::Terms)>() };
        // SAFETY: as in `for_entities`, by the constant above.
        unsafe {
            let table = <(Place, N::Terms)>::table(self.storage, self.set.rows_of(self.slice));
            let (pages, ranges) = (self.set.pages(self.slice), const { by_ranges::<D, N>() });
            query::for_each::<D, (Place, N::Terms)>(table, pages, ranges, |(place, terms)| {
                f(place, N::entry(terms));
            });
        }
    }

    /// Appends what `f` returns for each entity, of its [`Place`] and its components by name. For indices.
    #[inline(always)]
    pub(crate) fn append_to<T>(
        &mut self,
        list: &mut Vec<T>,
        mut f: impl FnMut(Place, N::Entry<'_>) -> T,
    ) {
        const { query::assert_allowed::<D, N, (Place, N::Terms)>() };
        // SAFETY: as in `for_entities`, by the constant above.
        unsafe {
            let table = <(Place, N::Terms)>::table(self.storage, self.set.rows_of(self.slice));
            let (pages, ranges) = (self.set.pages(self.slice), const { by_ranges::<D, N>() });
            query::append_each::<D, (Place, N::Terms), T>(
                table,
                pages,
                ranges,
                list,
                |(place, terms)| f(place, N::entry(terms)),
            );
        }
    }

    /// The entities of this subtask with the components that `Q` asks for: `&C`, `&mut C`,
    /// `Option<&C>`, `Option<&mut C>`, `Entity`, or a tuple of these; of a tracked component, [`Mut<C>`](crate::Mut) in the
    /// place of `&mut C`.
    #[inline(always)]
    pub fn query<Q: QueryFor<D, N>>(&mut self) -> Query<'_, D, N, Q> {
        const { query::assert_allowed::<D, N, Q>() };
        // SAFETY: the arguments are those of this value, and `self` is borrowed for as long.
        let own = unsafe { Own::new(self.storage, self.set, self.slice) };
        Query { own, terms: PhantomData }
    }

    /// The number of entities that the system is subscribed to, over all subtasks. O(1).
    #[must_use]
    pub fn all_entity_count(&self) -> usize {
        self.set.len()
    }

    /// Calls `f` with each entity that the system is subscribed to, over all subtasks.
    pub fn for_all_entities(&self, mut f: impl FnMut(Entity)) {
        self.for_slice(self.set.whole(), &mut f);
    }

    /// The number of entities of this subtask. O(1).
    #[must_use]
    pub fn entity_count(&self) -> usize
    where
        N: SliceDependent<D>,
    {
        const { assert_slice_dependent::<D, N>() };
        self.slice.len()
    }

    /// The number of entities of the other subtasks. O(1).
    #[must_use]
    pub fn other_entity_count(&self) -> usize
    where
        N: SliceDependent<D>,
    {
        const { assert_slice_dependent::<D, N>() };
        self.set.len() - self.slice.len()
    }

    /// Calls `f` with each entity of the other subtasks.
    pub fn for_other_entities(&self, mut f: impl FnMut(Entity))
    where
        N: SliceDependent<D>,
    {
        const { assert_slice_dependent::<D, N>() };
        let (before, after) = self.set.around(self.slice);
        self.for_slice(before, &mut f);
        self.for_slice(after, &mut f);
    }

    fn for_slice(&self, slice: Slice, f: &mut impl FnMut(Entity)) {
        for page in self.set.pages(slice) {
            let rows = &self.storage.entities.rows()[page.index * PAGE_ROWS..];
            page.for_each(|offset| f(rows[offset]));
        }
    }
}

/// Calls `f` with the components of an entity of the system `N` by name.
struct ByName<N, F> {
    f: F,
    system: PhantomData<N>,
}

impl<'a, D, N, F> Visit<'a, D, N::Terms> for ByName<N, F>
where
    D: Declaration,
    N: SystemName<D>,
    F: FnMut(N::Entry<'a>),
{
    #[inline(always)]
    fn visit(&mut self, terms: Item<'a, N::Terms, D>) {
        (self.f)(N::entry(terms));
    }
}

/// Whether to iterate over the entities of `N` by ranges. The body of a system that stages work is rarely
/// vectorised and mostly large.
pub(super) const fn by_ranges<D: Declaration, N: SystemName<D>>() -> bool {
    !D::SYSTEMS[N::INDEX].stages_work()
}

/// The entities of one subtask with the components of the query `Q`.
///
/// ```
/// # use ecs_core::{Entity, World, world};
/// # struct Health(i32);
/// world! {
///     world Arena;
///     component Health;
///     system Fall {
///         read: [Health],
///         despawn,
///         run: |data| {
///             for (entity, health) in data.own.query::<(Entity, &Health)>() {
///                 if health.0 <= 0 {
///                     data.effects.despawn(entity);
///                 }
///             }
///         },
///     }
/// }
/// # let mut world = World::<Arena>::new();
/// # world.spawn_batch([0, 3, -1].map(|health| (Health(health),)));
/// # world.tick().unwrap();
/// # assert!(world.iter::<&Health>().map(|health| health.0).eq([3]));
/// ```
pub struct Query<'a, D, N, Q> {
    own: Own<'a, D, N>,
    terms: Brand<Q>,
}

impl<'a, D: Declaration, N: SystemName<D>, Q: QueryTerms<D>> Query<'a, D, N, Q> {
    /// Calls `f` for each entity. This is faster than the iterator: where rows are contiguous, it is a loop
    /// over slices of those components that have their own `contiguous_buffer`. The compiler can vectorise it,
    /// unless the system stages work.
    #[inline(always)]
    pub fn for_each(self, f: impl FnMut(Item<'a, Q, D>)) {
        // SAFETY: as in `Own::for_entities`; the creator of the query has asserted that `N` may ask for `Q`,
        // and this query holds exclusive access to the entities for `'a`.
        unsafe {
            let Own { storage, set, slice, .. } = self.own;
            let ranges = const { by_ranges::<D, N>() };
            let table = Q::table(storage, set.rows_of(slice));
            query::for_each::<D, Q>(table, set.pages(slice), ranges, f);
        };
    }
}

impl<'a, D, N, Q> IntoIterator for Query<'a, D, N, Q>
where
    D: Declaration,
    N: SystemName<D>,
    Q: QueryTerms<D> + 'a,
{
    type Item = Item<'a, Q, D>;
    type IntoIter = query::Iter<'a, D, Q>;

    fn into_iter(self) -> Self::IntoIter {
        let Own { storage, set, slice, .. } = self.own;
        // SAFETY: as in `for_each`; the table is that of the storage.
        unsafe {
            query::Iter::over(
                Q::table(storage, set.rows_of(slice)),
                set,
                slice,
                const { by_ranges::<D, N>() },
            )
        }
    }
}
