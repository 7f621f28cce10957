//! The entities of one subtask.

use core::marker::PhantomData;

use super::effects::assert_slice_dependent;
use crate::brand::Brand;
use crate::entity::{Entity, Place};
use crate::query::{self, Item, QueryFor, QueryTerms};
use crate::signature::access::SliceDependent;
use crate::signature::{Declaration, SystemName};
use crate::sparse_set::{Slice, SparseSet};
use crate::storage::{PAGE_ROWS, Storage};
use crate::world::PhaseCell;

/// The entities of one subtask of the system `N`, with the components that `N` declares.
///
/// All iteration is in ascending order of rows, which follows from the inputs of the steps alone.
pub struct Own<'w, D, N> {
    /// Borrowed anew for each use: between two of them a sequential system may have changed it.
    pub(crate) storage: &'w PhaseCell<Storage>,
    pub(crate) set: &'w SparseSet,
    pub(crate) slice: Slice,
    /// An exclusive right to the written components of the slice.
    right: PhantomData<&'w mut ()>,
    names: Brand<(D, N)>,
}

impl<'w, D: Declaration, N: SystemName<D>> Own<'w, D, N> {
    /// The entities of `slice`.
    ///
    /// # Safety
    /// `slice` must be one of `set`, and that the subscription of `N` in the world of `storage`. It is for one subtask of `N`,
    /// which has the slice to itself for `'w`.
    #[inline(always)]
    pub(super) unsafe fn new(
        storage: &'w PhaseCell<Storage>,
        set: &'w SparseSet,
        slice: Slice,
    ) -> Self {
        Self { storage, set, slice, right: PhantomData, names: PhantomData }
    }

    /// Calls `f` for each entity of this subtask, with a named reference to each component that
    /// the system reads or writes. O(entities).
    ///
    /// Where rows follow one another, this is a loop over slices of those components that have a `contiguous_buffer` of
    /// their own, which the compiler can vectorise, unless the system stages something. The thesis's `for_entities`.
    #[inline(always)]
    pub fn for_entities(&mut self, mut f: impl FnMut(N::Entry<'_>)) {
        const { query::assert_allowed::<D, N, N::Terms>() };
        // SAFETY: the constant above shows it.
        unsafe { self.for_validated::<N::Terms>(|terms| f(N::entry(terms))) };
    }

    /// Calls `f` with the place of each entity, and its components by name: for indices.
    #[inline(always)]
    pub(crate) fn for_placed(&mut self, mut f: impl FnMut(Place, N::Entry<'_>)) {
        const { query::assert_allowed::<D, N, (Place, N::Terms)>() };
        // SAFETY: the constant above shows it.
        unsafe {
            self.for_validated::<(Place, N::Terms)>(|(place, terms)| f(place, N::entry(terms)))
        };
    }

    /// Calls `f` with what `Q` asks for of each entity.
    ///
    /// # Safety
    /// `query::assert_allowed::<D, N, Q>` must have been evaluated.
    #[inline(always)]
    unsafe fn for_validated<Q: QueryTerms<D>>(&mut self, f: impl FnMut(Item<'_, Q, D>)) {
        // SAFETY: what the caller has evaluated shows that the entities of `N` have what the terms require
        // and that `N` may access it; the table orders every system that would touch the same
        // components of the same entities (`signature::check`); no other subtask of `N` has a row
        // of this slice; `&mut self` keeps this subtask from reaching its entities meanwhile.
        unsafe {
            query::for_each::<D, Q>(self.storage, self.set, self.slice, N::RANGES, f);
        };
    }

    /// The entities of this subtask with the components that `Q` asks for: `&C`, `&mut C`,
    /// `Option<&C>`, `Option<&mut C>`, `Entity`, or a tuple of these.
    #[inline(always)]
    pub fn query<Q: QueryFor<D, N>>(&mut self) -> Query<'_, D, N, Q> {
        const { query::assert_allowed::<D, N, Q>() };
        // SAFETY: the constant above shows it.
        unsafe { self.validated_query() }
    }

    /// As [`query`](Self::query), for who has validated it already: so that a message points at the line of
    /// the user's.
    ///
    /// # Safety
    /// `query::assert_allowed::<D, N, Q>` must have been evaluated.
    #[inline(always)]
    pub(super) unsafe fn validated_query<Q: QueryFor<D, N>>(&mut self) -> Query<'_, D, N, Q> {
        // SAFETY: they are this one's own, and `self` is borrowed for as long.
        let own = unsafe { Own::new(self.storage, self.set, self.slice) };
        Query { own, terms: PhantomData }
    }

    /// How many entities the system is subscribed to, over all subtasks. O(1).
    #[must_use]
    pub fn all_entity_count(&self) -> usize {
        self.set.len()
    }

    /// Calls `f` with each entity that the system is subscribed to, over all subtasks.
    pub fn for_all_entities(&self, mut f: impl FnMut(Entity)) {
        self.for_slice(self.set.whole(), &mut f);
    }

    /// How many entities this subtask has. O(1).
    #[must_use]
    pub fn entity_count(&self) -> usize
    where
        N: SliceDependent<D>,
    {
        const { assert_slice_dependent::<D, N>() };
        self.slice.len()
    }

    /// How many entities the other subtasks have. O(1).
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

/// How bodies are called.
trait Walked<D: Declaration>: SystemName<D> {
    /// Whether entities are walked as ranges. What stages something is rarely vectorised and mostly large.
    const RANGES: bool = !D::SYSTEMS[Self::INDEX].stages_work();
}

impl<D: Declaration, N: SystemName<D>> Walked<D> for N {}

/// The entities of one subtask with the components of the query `Q`.
pub struct Query<'a, D, N, Q> {
    own: Own<'a, D, N>,
    terms: Brand<Q>,
}

impl<'a, D: Declaration, N: SystemName<D>, Q: QueryTerms<D>> Query<'a, D, N, Q> {
    /// Calls `f` for each entity. Faster than to go through the iterator: where rows follow one another, this is a loop over
    /// slices of those components that have a `contiguous_buffer` of their own, which the compiler can vectorise, unless the
    /// system stages something.
    #[inline(always)]
    pub fn for_each(self, f: impl FnMut(Item<'a, Q, D>)) {
        // SAFETY: as in `Own::for_entities`; who made the query has asserted that `N` may ask for `Q`,
        // and this query holds the right to the entities for `'a`.
        unsafe {
            let Own { storage, set, slice, .. } = self.own;
            query::for_each::<D, Q>(storage, set, slice, N::RANGES, f);
        };
    }
}

impl<'a, D, N, Q> IntoIterator for Query<'a, D, N, Q>
where
    D: Declaration,
    Q: QueryTerms<D> + 'a,
{
    type Item = Item<'a, Q, D>;
    type IntoIter = query::Iter<'a, D, Q>;

    fn into_iter(self) -> Self::IntoIter {
        // SAFETY: as in `for_each`.
        unsafe { query::Iter::new(self.own.storage, self.own.set, self.own.slice) }
    }
}
