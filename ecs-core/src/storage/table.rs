//! The tables that storage is made from, and those that find the value of one component by row.

use super::{ComponentSignature, LaneCount, Stored};
use crate::entity::{Handles, Locate};
use crate::rows::Members;

/// The components of a world, as a table. Every [`Declaration`](crate::Declaration) has one.
pub(crate) trait ColumnTable: 'static {
    /// One signature per component; a component's position here is its index.
    const COMPONENTS: &'static [ComponentSignature];
}

/// The place of the component `C` in the table. Every declaration that
/// [has the component](crate::signature::HasComponent) has it.
pub(crate) trait HasColumn<C>: ColumnTable {
    /// The component's position in [`ColumnTable::COMPONENTS`].
    const INDEX: usize;

    /// The lanes in which changes of the component are marked. It must be what the storage was made with, or a mark panics.
    const LANES: LaneCount;

    /// Whether removed values are kept for systems that read them. It must be what the storage was made with, or none are.
    const KEEPS_REMOVED: bool;

    /// How the component's values are stored. It must be what the table says, or every access panics.
    type Strategy: Stored<C>;
}

/// The presence and the values of `C`: all that look-ups need.
pub(crate) struct ValueTable<'a, D: HasColumn<C>, C> {
    /// The presence set, and the values, of the same component of the same storage.
    pub(super) presence: Members<'a>,
    pub(super) values: <D::Strategy as Stored<C>>::Table<'a>,
}

impl<D: HasColumn<C>, C> Clone for ValueTable<'_, D, C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D: HasColumn<C>, C> Copy for ValueTable<'_, D, C> {}

impl<D: HasColumn<C>, C: 'static> ValueTable<'_, D, C> {
    /// The address of the value in `row`, if the row has one. `row` may be any number. O(1).
    #[inline(always)]
    pub(crate) fn value(self, row: usize) -> Option<*mut C> {
        if !self.presence.contain(row) {
            return None;
        }
        // SAFETY: the row is in the presence set, so it has a `C`.
        Some(unsafe { D::Strategy::value::<D>(self.values, row) })
    }

    /// The same of a row that is in use.
    #[inline(always)]
    pub(crate) fn value_of_used(self, row: usize) -> Option<*mut C> {
        if !self.presence.contain_used(row) {
            return None;
        }
        // SAFETY: the row is in the presence set.
        Some(unsafe { self.value_at(row) })
    }

    /// The address of the value of an entity, if it is alive and has one. `handles` are those of the same storage. O(1).
    #[inline(always)]
    pub(crate) fn find<L: Locate>(self, entity: L, handles: Handles<'_>) -> Option<*mut C> {
        let row = entity.row_among(self.presence, handles)?;
        // SAFETY: the row is in the presence set.
        Some(unsafe { self.value_at(row) })
    }

    /// The address of the value in a row.
    ///
    /// # Safety
    /// The row is in the presence set.
    #[inline(always)]
    unsafe fn value_at(self, row: usize) -> *mut C {
        // SAFETY: by the contract, so the row has a `C`.
        let value = unsafe { D::Strategy::value::<D>(self.values, row) };
        // SAFETY: a live value lies there. (So the caller need not test the address of a reference again.)
        unsafe { core::hint::assert_unchecked(!value.is_null()) };
        value
    }
}
