//! Newborns whose kind shows only after their birth.

use super::Masks;
use super::metadata::Entities;
use super::slots::Slot;
use crate::storage::{BLOCK_ROWS, PAGE_ROWS};

impl Entities {
    /// The rows of those who were born since the last refresh, for [`relocate`](Self::relocate); to be given
    /// [back](Self::give_back_newborn), for their memory. Where there is one kind, these are none.
    pub(crate) fn take_newborn(&mut self) -> Masks {
        core::mem::take(&mut self.newborn)
    }

    pub(crate) fn give_back_newborn(&mut self, newborn: Masks) {
        self.newborn = newborn;
    }

    /// The key of the kind that a page belongs to.
    pub(crate) fn key_of_page(&self, page: usize) -> u64 {
        self.kinds.key_of_page(page)
    }

    /// Has the entity of a row move to the lowest free row of the kind of a key; `None` if it stays where it is, as
    /// there can be no further kind, or no further row. O(log kinds), amortized.
    pub(crate) fn relocate(&mut self, row: usize, key: u64) -> Option<usize> {
        let kind = self.kinds.of(key);
        if self.kinds.get(kind).key() != key {
            return None;
        }
        if !self.search(kind) {
            return None;
        }
        let to = self.kinds.get_mut(kind).settle_one();
        let (old, first) = self.kinds.with_gap_in(row / PAGE_ROWS);
        old.count -= 1;
        old.search_from(first + row % PAGE_ROWS / BLOCK_ROWS);
        self.extend_rows(to);
        self.rows.swap(row, to);
        self.slots[self.rows[to].index() as usize] = Slot::living(to);
        self.alive.insert(to);
        self.alive.remove(row);
        Some(to)
    }
}
