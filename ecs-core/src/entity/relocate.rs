//! Entities whose archetype is known only after they are spawned.

use super::Masks;
use super::metadata::Entities;
use super::slots::Slot;
use crate::storage::{BLOCK_ROWS, PAGE_ROWS};

impl Entities {
    /// Takes the rows of entities spawned since the last refresh, for [`relocate`](Self::relocate).
    /// The set must be [given back](Self::give_back_spawned), for its memory. It is empty if there
    /// is only one archetype.
    pub(crate) fn take_spawned(&mut self) -> Masks {
        core::mem::take(&mut self.spawned)
    }

    pub(crate) fn give_back_spawned(&mut self, spawned: Masks) {
        self.spawned = spawned;
    }

    /// The key of the archetype that owns a page.
    pub(crate) fn key_of_page(&self, page: usize) -> u64 {
        self.archetypes.key_of_page(page)
    }

    /// Moves the entity of a row to the lowest free row of the archetype with a key. Returns `None`
    /// if the entity stays, as there can be no further archetype or no further row. O(log
    /// archetypes), amortized.
    pub(crate) fn relocate(&mut self, row: usize, key: u64) -> Option<usize> {
        let archetype = self.archetypes.of(key);
        if self.archetypes.get(archetype).key() != key {
            return None;
        }
        if !self.search(archetype) {
            return None;
        }
        let to = self.archetypes.get_mut(archetype).occupy_free_row();
        let (old, first) = self.archetypes.with_gap_in(row / PAGE_ROWS);
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
