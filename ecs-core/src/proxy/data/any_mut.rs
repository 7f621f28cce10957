//! Access to any entity of an exclusive system.

use crate::entity::{Handles, Locate};
use crate::proxy::query;
use crate::proxy::query::QueryFor;
use crate::rows::{Members, PAGE_ROWS};
use crate::signature::access::Exclusive;
use crate::signature::{Declaration, Item, Own, QueryTerms, SystemName, undeclared};
use crate::types::for_each_prefetched;

/// Chosen components of any entity that an exclusive system is subscribed to.
///
/// For many entities, this is faster than [`Own::get_mut`](crate::proxy::Own::get_mut), because it looks up the
/// columns once.
pub struct AnyMut<'a, D: Declaration, Q: QueryTerms<D>> {
    handles: Handles<'a>,
    members: Members<'a>,
    table: Q::Table<'a>,
}

impl<D: Declaration, N: SystemName<D>> Own<'_, D, N> {
    /// Access to chosen components of every entity that the system is subscribed to, for looking up many of
    /// them.
    ///
    /// The system is exclusive: it has one subtask, which has all of its entities. O(terms of `Q`).
    #[inline]
    pub fn any_mut<Q: QueryFor<D, N>>(&mut self) -> AnyMut<'_, D, Q>
    where
        N: Exclusive<D>,
    {
        AnyMut::new(self)
    }

    /// Chosen components of any entity that the system is subscribed to; `None` if it is not subscribed to this
    /// one, or the entity is not alive. O(1).
    #[inline]
    pub fn get_mut<Q: QueryFor<D, N>>(&mut self, entity: impl Locate) -> Option<Item<'_, Q, D>>
    where
        N: Exclusive<D>,
    {
        self.any_mut::<Q>().into_one(entity)
    }

    /// Chosen components of two entities at once; `None` also if they are the same entity. O(1).
    #[inline]
    pub fn pair_mut<Q: QueryFor<D, N>>(
        &mut self,
        first: impl Locate,
        second: impl Locate,
    ) -> Option<(Item<'_, Q, D>, Item<'_, Q, D>)>
    where
        N: Exclusive<D>,
    {
        self.any_mut::<Q>().into_pair(first, second)
    }
}

impl<'a, D: Declaration, Q: QueryTerms<D>> AnyMut<'a, D, Q> {
    /// Borrows the subtask's access to its entities, which are all entities of the system, for `'a`.
    fn new<N>(own: &'a mut Own<'_, D, N>) -> Self
    where
        N: SystemName<D> + Exclusive<D>,
        Q: QueryFor<D, N>,
    {
        const {
            query::assert_allowed::<D, N, Q>();
            if !D::SYSTEMS[N::INDEX].declared.exclusive {
                undeclared::<D, N>("do what needs", "exclusive");
            }
        };
        Self {
            handles: own.storage.entities.handles(),
            members: own.set.members(own.storage.entities.alive()),
            table: Q::table(own.storage, own.set.rows_of(own.set.whole())),
        }
    }

    /// The components of one entity; `None` if the system is not subscribed to it, or it is not alive. O(1).
    #[inline]
    pub fn get_mut(&mut self, entity: impl Locate) -> Option<Item<'_, Q, D>> {
        self.for_now().into_one(entity)
    }

    /// The components of two entities; `None` also if they are the same entity. O(1).
    #[inline]
    pub fn pair_mut(
        &mut self,
        first: impl Locate,
        second: impl Locate,
    ) -> Option<(Item<'_, Q, D>, Item<'_, Q, D>)> {
        self.for_now().into_pair(first, second)
    }

    /// Calls `f` with each of these entities, in order, and its components. Entities that are not alive, or
    /// that the system is not subscribed to, are skipped. An entity that comes twice is visited twice.
    ///
    /// For more entities in scattered rows than the caches hold, this is faster than separate calls of
    /// [`get_mut`](Self::get_mut), because the next entities are prefetched; for fewer it is slower. Some more
    /// entities are drawn from the iterator before the first call of `f`. O(entities).
    ///
    /// # Panics
    /// If the iterator panics. `f` is then not called for entities that were drawn for prefetching.
    ///
    /// ```
    /// # use ecs_core::{Entity, World, world};
    /// struct Health(u32);
    /// #[derive(Default)]
    /// struct Hits(Vec<Entity>);
    ///
    /// world! {
    ///     world Arena;
    ///     component Health;
    ///     resource Hits;
    ///     system Hurt {
    ///         exclusive,
    ///         write: [Health],
    ///         read_resources: [Hits],
    ///         run: |data| {
    ///             let hits = data.resources.get::<Hits>();
    ///             let mut all = data.own.any_mut::<&mut Health>();
    ///             all.for_each_of(hits.0.iter().copied(), |_, health| health.0 -= 1);
    ///         },
    ///     }
    /// }
    ///
    /// let mut world = World::<Arena>::new();
    /// let [a, b] = [8, 9].map(|n| world.spawn((Health(n),)));
    /// world.resource_mut::<Hits>().0 = vec![b, a, b, b];
    /// world.tick().unwrap();
    /// assert_eq!([a, b].map(|e| world.get::<Health>(e).unwrap().0), [7, 6]);
    /// ```
    #[doc(alias = "iter_many_mut")]
    #[inline]
    pub fn for_each_of<L: Locate>(
        &mut self,
        entities: impl IntoIterator<Item = L>,
        mut f: impl FnMut(L, Item<'_, Q, D>),
    ) {
        let all = self.for_now();
        let find = |entity: L| {
            let row = entity.row_among(all.members, all.handles)?;
            // SAFETY: the system is subscribed to the row, so the row holds an entity with the required
            // components.
            let cursor = unsafe { Q::page_of_some(all.table, row / PAGE_ROWS) };
            Q::prefetch(cursor, row % PAGE_ROWS);
            Some(row)
        };
        let announce = |entity: L| entity.announce(all.handles);
        for_each_prefetched(entities.into_iter(), announce, find, |entity, row| {
            // SAFETY: the system is subscribed to the row, as nothing has changed since it was found. The
            // item is passed to `f` for one call, which ends before there is another item.
            f(entity, unsafe { all.fetch(row) });
        });
    }

    /// The same access, for a shorter lifetime.
    #[inline]
    fn for_now(&mut self) -> AnyMut<'_, D, Q> {
        AnyMut { handles: self.handles, members: self.members, table: Q::shorten(self.table) }
    }

    /// The same as [`get_mut`](Self::get_mut), for the whole lifetime of the access.
    #[inline]
    pub(crate) fn into_one(self, entity: impl Locate) -> Option<Item<'a, Q, D>> {
        let row = entity.row_among(self.members, self.handles)?;
        // SAFETY: the item consumes the access, so it is the only one.
        Some(unsafe { self.fetch(row) })
    }

    /// The same as [`pair_mut`](Self::pair_mut), for the whole lifetime of the access.
    #[inline]
    pub(crate) fn into_pair(
        self,
        first: impl Locate,
        second: impl Locate,
    ) -> Option<(Item<'a, Q, D>, Item<'a, Q, D>)> {
        let a = first.row_among(self.members, self.handles)?;
        let b = second.row_among(self.members, self.handles)?;
        if a == b {
            return None;
        }
        // SAFETY: the items consume the access, so they are the only ones; their rows differ.
        let one = unsafe { self.fetch(a) };
        // SAFETY: as above.
        let other = unsafe { self.fetch(b) };
        Some((one, other))
    }

    /// The components of a row that the system is subscribed to.
    ///
    /// # Safety
    /// The system must be subscribed to the row, and there must be no other item of it.
    #[inline]
    unsafe fn fetch(&self, row: usize) -> Item<'a, Q, D> {
        // SAFETY: The system is subscribed to the row, so it holds an entity with the required components. The table says
        // that the system is exclusive (`new` has asserted it): it has one subtask, and every other system that accesses
        // its components in conflict with it is ordered with it. `new` has borrowed the subtask's entities, so there is no
        // other access to them in the subtask; the caller guarantees it for this row.
        unsafe { Q::fetch_row(self.table, row) }
    }
}
