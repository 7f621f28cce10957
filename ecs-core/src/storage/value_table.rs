//! Finds the value of one component by row.

use super::{PAGE_ROWS, Stored, Words, is_member};
use crate::signature::HasComponent;

/// The presence and the values of `C`: all that look-ups need.
pub(crate) struct ValueTable<'a, D: HasComponent<C>, C> {
    /// The presence set, and the pages of values, of the same component of the same storage.
    pub(super) presence: &'a [Words],
    pub(super) values: <D::Strategy as Stored<C>>::Table<'a>,
}

impl<D: HasComponent<C>, C> Clone for ValueTable<'_, D, C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D: HasComponent<C>, C> Copy for ValueTable<'_, D, C> {}

impl<D: HasComponent<C>, C: 'static> ValueTable<'_, D, C> {
    /// The address of the value in `row`, if the row has one. `row` may be any number. O(1).
    #[inline(always)]
    pub(crate) fn value(self, row: usize) -> Option<*mut C> {
        if !is_member(self.presence, row) {
            return None;
        }
        // SAFETY: the row is in the presence set, so it has a `C`.
        let cursor = unsafe { D::Strategy::page_of_some(self.values, row / PAGE_ROWS) };
        // SAFETY: as above.
        Some(unsafe { D::Strategy::at::<D>(cursor, row % PAGE_ROWS) })
    }
}
