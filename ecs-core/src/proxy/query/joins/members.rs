//! The members of a query.

use core::marker::PhantomData;

use crate::entity::{Entity, Locate};
use crate::proxy::query::Iter;
use crate::rows::{PAGE_ROWS, SparseSet};
use crate::signature::{
    Declaration, Item, QueryTerms, SystemName, assert_not_sequential, undeclared,
};
use crate::state::{Core, opaque_debug};
use crate::storage::Storage;
use crate::types::{Brand, IndexSet};

/// Fails to build if the system `N` may not read what `T` asks for of the members of the query `Q`, or if `N` is
/// sequential: a loop over a subscription must not run while the components of its entities change.
pub(crate) const fn assert_query<D, N, Q, T>()
where
    D: Declaration,
    N: SystemName<D>,
    Q: SystemName<D>,
    T: QueryTerms<D>,
{
    assert_not_sequential::<D, N>("members");
    assert_uses::<D, N, Q>();
    if let Some(c) = T::WRITES.first_outside(&IndexSet::EMPTY) {
        undeclared::<D, Q>("write", D::COMPONENTS[c].name());
    }
    assert_shown::<D, N, Q, T>();
}

/// Fails to build if the system `N` does not use the query `Q`.
pub(crate) const fn assert_uses<D: Declaration, N: SystemName<D>, Q: SystemName<D>>() {
    assert!(Q::INDEX < D::SYSTEMS.len(), "[ECS0070] the index of a system is out of range");
    if !IndexSet::of(D::SYSTEMS[N::INDEX].declared.queries).contains(Q::INDEX) {
        undeclared::<D, N>("use the query", D::SYSTEMS[Q::INDEX].name);
    }
}

/// Fails to build if the query `Q` does not show the system `N` what `T` asks for of its members, to read or to write.
/// The index of `Q` must be in range.
pub(crate) const fn assert_shown<D, N, Q, T>()
where
    D: Declaration,
    N: SystemName<D>,
    Q: SystemName<D>,
    T: QueryTerms<D>,
{
    let (query, user) = (&D::SYSTEMS[Q::INDEX], &D::SYSTEMS[N::INDEX].declared);
    let mut asked = T::READS.union(T::WRITES);
    while let Some(c) = asked.pop() {
        if !user.reads_through(&query.declared, Q::INDEX, c) {
            undeclared::<D, N>("read through a query", D::COMPONENTS[c].name());
        }
    }
    if let Some(c) = T::READS.union(T::WRITES).first_outside(&query.shown()) {
        undeclared::<D, Q>("read", D::COMPONENTS[c].name());
    }
    if let Some(c) = T::REQUIRED.first_outside(&query.required()) {
        undeclared::<D, Q>("take for granted", D::COMPONENTS[c].name());
    }
}

/// The members of a query, with what `T` asks for of each, to read.
///
/// It is `Copy`, and can be iterated over repeatedly, in ascending order of rows. Products of three and more
/// are nested loops. No system writes what it reads while the system runs.
///
/// ```
/// # use ecs_core::{World, world};
/// # struct Red(u32); struct Green(u32); struct Blue(u32);
/// world! {
///     world Palette;
///     component Red, Green, Blue;
///     query Greens { read: [Green] }
///     query Blues { read: [Blue] }
///     system Mix {
///         read: [Red],
///         queries: [Greens, Blues],
///         output: Vec<[u32; 3]>,
///         run: |data| {
///             let (own, effects) = (&mut data.own, &mut data.effects);
///             let greens = effects.members::<Greens, &Green>();
///             let blues = effects.members::<Blues, &Blue>();
///             own.for_entities(|e| {
///                 for green in greens {
///                     for blue in blues {
///                         effects.output().push([e.red.0, green.0, blue.0]);
///                     }
///                 }
///             });
///         },
///     }
/// }
/// # let mut world = World::<Palette>::new();
/// # for n in 0..2 {
/// #     world.spawn((Red(n),));
/// #     world.spawn((Green(10 + n), Blue(20 + n)));
/// # }
/// # world.step(|step| {
/// #     step.execute_systems();
/// #     let all: Vec<[u32; 3]> = step.outputs_of::<Mix>().flatten().copied().collect();
/// #     assert_eq!(all[..4], [[0, 10, 20], [0, 10, 21], [0, 11, 20], [0, 11, 21]]);
/// #     assert_eq!(all[4..], [[1, 10, 20], [1, 10, 21], [1, 11, 20], [1, 11, 21]]);
/// # }).unwrap();
/// ```
pub struct Members<'w, D: Declaration, T: QueryTerms<D>> {
    storage: &'w Storage,
    set: &'w SparseSet,
    table: T::Table<'w>,
    terms: Brand<(D, T)>,
}

impl<D: Declaration, T: QueryTerms<D>> Clone for Members<'_, D, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D: Declaration, T: QueryTerms<D>> Copy for Members<'_, D, T> {}

opaque_debug! { [D: Declaration, T: QueryTerms<D>] Members<'_, D, T>: |this| len = this.len() }

impl<'w, D: Declaration, T: QueryTerms<D>> Members<'w, D, T> {
    /// The members of the query `Q`.
    ///
    /// # Safety
    /// `'w` must not outlast a subtask of a system `N`, for which `assert_query::<D, N, Q, T>` has been evaluated; or an
    /// execution of the query itself, for which `assert_allowed::<D, Q, T>` has been. `T` must write nothing.
    pub(crate) unsafe fn of<Q: SystemName<D>>(core: &'w Core<D>) -> Self {
        let set = &core.subscriptions[Q::INDEX].set;
        Self {
            storage: &core.storage,
            set,
            table: T::table(&core.storage, set.rows_of(set.whole())),
            terms: PhantomData,
        }
    }

    /// The number of members. O(1).
    #[must_use]
    pub fn len(&self) -> usize {
        self.set.len()
    }

    /// Whether there are no members. O(1).
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether the entity is a member. O(1).
    #[must_use]
    pub fn contains(&self, entity: impl Locate) -> bool {
        entity.row_to_ask(self.storage.entities.handles()).is_some_and(|row| self.set.contains(row))
    }

    /// The components of a member; `None` if the entity is not a member, or was despawned. O(1).
    #[inline]
    #[must_use]
    pub fn get(&self, entity: impl Locate) -> Option<Item<'w, T, D>> {
        let entities = &self.storage.entities;
        let members = self.set.members(entities.alive());
        let row = entity.row_among(members, entities.handles())?;
        // SAFETY: the row is a member's.
        Some(unsafe { self.of_member(row) })
    }

    /// The components of a row, if it is a member's.
    #[inline]
    pub(super) fn row(&self, row: usize) -> Option<Item<'w, T, D>> {
        if !self.set.contains(row) {
            return None;
        }
        // SAFETY: the row is a member's.
        Some(unsafe { self.of_member(row) })
    }

    /// The components of a row.
    ///
    /// # Safety
    /// It must be a member's.
    #[inline(always)]
    pub(super) unsafe fn of_member(&self, row: usize) -> Item<'w, T, D> {
        // SAFETY: The row is in the query's subscription, so it holds a live entity that has the components that the
        // query requires; those that `T` requires are among them (`assert_query`, `assert_allowed`). `T` only reads, and reads
        // what the query shows. The system that runs this is the query, or has it in its table. So nothing writes these
        // components of these entities meanwhile: no other system that runs now, nor this one
        // (`signature::check::queries`).
        unsafe { T::fetch_row(self.table, row) }
    }

    /// Calls `f` with the components of each member, in ascending order of rows. This is the fastest iteration: where
    /// rows are contiguous it runs over them as over slices.
    #[inline(always)]
    pub fn for_each(self, mut f: impl FnMut(Item<'w, T, D>)) {
        for page in self.set.pages(self.set.whole()) {
            let Some(cursor) = T::page(self.table, page.index) else { continue };
            page.for_each(|offset| {
                // SAFETY: as in `row`.
                f(unsafe { T::fetch(&cursor, offset) });
            });
        }
    }
}

impl<'w, D: Declaration, T: QueryTerms<D> + 'w> IntoIterator for Members<'w, D, T> {
    type Item = Item<'w, T, D>;
    type IntoIter = Iter<'w, D, T>;

    fn into_iter(self) -> Self::IntoIter {
        // SAFETY: as in `row`; the table is that of the storage.
        unsafe { Iter::over(self.table, self.set, self.set.whole(), true) }
    }
}

impl<'w, D: Declaration, T: QueryTerms<D>> Members<'w, D, T> {
    /// The members' handles, in ascending order of rows.
    pub fn entities(self) -> impl Iterator<Item = Entity> + use<'w, D, T> {
        let rows = self.storage.entities.rows();
        self.set.pages(self.set.whole()).flat_map(move |page| {
            page.offsets()
                .iter()
                .map(move |&offset| rows[page.index * PAGE_ROWS + usize::from(offset)])
        })
    }
}
