//! Reaching any entity of an exclusive system.

use crate::entity::{Handles, Locate};
use crate::proxy::Own;
use crate::query::{self, Item, QueryFor, QueryTerms};
use crate::signature::access::Exclusive;
use crate::signature::{Declaration, SystemName, undeclared};
use crate::sparse_set::Members;
use crate::storage::PAGE_ROWS;

/// Chosen components of any entity that an exclusive system is subscribed to.
///
/// For many entities, this is faster than [`Data::get_mut`](crate::Data::get_mut), as it looks up
/// the columns once.
pub struct Reach<'a, D: Declaration, Q: QueryTerms<D>> {
    handles: Handles<'a>,
    members: Members<'a>,
    table: Q::Table<'a>,
}

impl<'a, D: Declaration, Q: QueryTerms<D>> Reach<'a, D, Q> {
    /// Takes the subtask's right to its entities, which are all entities of the system, for `'a`.
    pub(crate) fn new<N>(own: &'a mut Own<'_, D, N>) -> Self
    where
        N: SystemName<D> + Exclusive<D>,
        Q: QueryFor<D, N>,
    {
        const {
            query::assert_allowed::<D, N, Q>();
            if !D::SYSTEMS[N::INDEX].exclusive {
                undeclared::<D, N>("do what needs", "exclusive");
            }
        };
        Self {
            handles: own.storage.entities.handles(),
            members: own.set.members(),
            table: Q::table(own.storage),
        }
    }

    /// The components of one entity; `None` if the system is not subscribed to it, or it is dead.
    /// O(1).
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

    /// The right, lent out.
    #[inline]
    fn for_now(&mut self) -> Reach<'_, D, Q> {
        Reach { handles: self.handles, members: self.members, table: Q::shorten(self.table) }
    }

    /// As [`get_mut`](Self::get_mut), for as long as the right lasts.
    #[inline]
    pub(crate) fn into_one(self, entity: impl Locate) -> Option<Item<'a, Q, D>> {
        let row = self.subscribed_row(entity)?;
        // SAFETY: the item takes over the right, so it is the only one.
        Some(unsafe { self.fetch(row) })
    }

    /// As [`pair_mut`](Self::pair_mut), for as long as the right lasts.
    #[inline]
    pub(crate) fn into_pair(
        self,
        first: impl Locate,
        second: impl Locate,
    ) -> Option<(Item<'a, Q, D>, Item<'a, Q, D>)> {
        let (a, b) = (self.subscribed_row(first)?, self.subscribed_row(second)?);
        if a == b {
            return None;
        }
        // SAFETY: the items take over the right, so they are the only ones; their rows differ.
        let one = unsafe { self.fetch(a) };
        // SAFETY: as above.
        let other = unsafe { self.fetch(b) };
        Some((one, other))
    }

    #[inline]
    fn subscribed_row(&self, entity: impl Locate) -> Option<usize> {
        let row = entity.row_to_ask(self.handles)?;
        // Returning here, rather than filtering, the compiler tests the bit by one instruction.
        if !self.members.contain(row) {
            return None;
        }
        Some(row)
    }

    /// The components of a row that the system is subscribed to.
    ///
    /// # Safety
    /// The system must be subscribed to the row, and nobody may hold an item of it.
    #[inline]
    unsafe fn fetch(&self, row: usize) -> Item<'a, Q, D> {
        // SAFETY: the system is subscribed to the row, so an entity with the required components
        // lives in it, and its page is there.
        let cursor = unsafe { Q::page_of_some(self.table, row / PAGE_ROWS) };
        // SAFETY: as above. The table says that the system is exclusive (`new` has asserted
        // it): it has one subtask, and every other system that accesses its components otherwise
        // is ordered with it. `new` has borrowed the subtask's entities, so nothing else in the
        // subtask reaches them; the caller vouches for this row.
        unsafe { Q::fetch(cursor, row % PAGE_ROWS) }
    }
}
