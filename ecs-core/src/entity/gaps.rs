//! Moves entities to other rows: into gaps between rows in use, and, if their archetype is known only
//! after they are spawned, to rows of that archetype.

use super::archetypes::{Archetype, Archetypes};
use super::metadata::Entities;
use super::slots::Slot;
use crate::rows::{BLOCK_ROWS, PAGE_ROWS, end_of};

impl Entities {
    /// Whether there are free rows before rows in use.
    pub(crate) fn has_gaps(&self) -> bool {
        self.archetypes.gaps
    }

    /// Whether entities with other components lie in other pages.
    pub(crate) fn are_by_archetype(&self) -> bool {
        self.archetypes.several
    }

    /// Counts spawns of an archetype that came before the despawned rows were freed.
    pub(crate) fn count_spawns(&mut self, archetype: usize, count: usize) {
        self.archetypes.for_spawns(archetype).spawned += count;
    }

    /// Begins a step and restarts the count of spawns.
    pub(crate) fn begin_step(&mut self) {
        self.newly_indexed.clear();
        let Archetypes { spawns, list, .. } = &mut self.archetypes;
        if core::mem::take(spawns) {
            for archetype in list {
                archetype.spawned = 0;
            }
        }
    }

    /// Closes gaps: in each archetype, entities in the last rows move into the lowest free rows.
    /// `moved` is called with the old and the new row of each.
    ///
    /// Twice as many gaps remain as the archetype had spawns in this step before the despawned rows
    /// were freed: a similar number of spawns is expected in the next step and fills gaps at no
    /// cost. O(moves + rows freed at the end + archetypes).
    ///
    /// Then archetypes lose their [empty pages](Archetypes::release_surplus), and others [move
    /// down](Self::move_pages_down) into them. A second call does nothing.
    pub(crate) fn refill(&mut self, mut moved: impl FnMut(usize, usize)) {
        for number in 0..self.archetypes.list.len() {
            self.refill_archetype(self.archetypes.in_order(number), &mut moved);
        }
        if self.archetypes.several {
            self.archetypes.release_surplus();
            self.move_pages_down(&mut moved);
        }
        let end = self.archetypes.note_gaps();
        if end < self.rows.len() {
            self.end_rows(end);
        }
    }

    fn refill_archetype(&mut self, archetype: usize, moved: &mut impl FnMut(usize, usize)) {
        loop {
            let end = self.find_end(archetype, 0);
            let Archetype { count, spawned, .. } = self.archetypes.list[archetype];
            if end - count <= 2 * spawned {
                break;
            }
            // There is a gap, and the last row is in use, so the gap lies before it.
            self.search(archetype);
            let to = self.archetypes.list[archetype].take_free_row();
            let from = self.archetypes.list[archetype].row(end - 1);
            let entity = self.rows[from];
            self.rows.swap(from, to);
            self.slots.set(entity.index(), Slot::living(to, entity));
            self.alive.insert(to);
            self.alive.remove(from);
            self.archetypes.list[archetype].search_from((end - 1) / BLOCK_ROWS);
            moved(from, to);
        }
    }

    /// Finds the position after an archetype's last row in use, or `floor` if that is higher.
    /// O(empty blocks after it).
    pub(super) fn find_end(&mut self, archetype: usize, floor: usize) -> usize {
        let this = &mut self.archetypes.list[archetype];
        while this.end > floor {
            let last = (this.end - 1) / BLOCK_ROWS;
            let rows = this.block_at(last).map_or(0, |block| self.alive.word(block));
            if rows != 0 {
                this.end = end_of(last, rows);
                break;
            }
            this.end = last * BLOCK_ROWS;
        }
        this.end = this.end.max(floor);
        this.end
    }

    /// Removes the rows from `end` on, which are free, from the table. Their indices become spare.
    pub(super) fn end_rows(&mut self, end: usize) {
        self.spare.expect(self.slots.len());
        for entities in self.rows[end..].chunks(BLOCK_ROWS) {
            if let Some(block) = entities.as_array()
                && self.slots.set_spare_sequence(block)
            {
                self.spare.insert_block(block[0].index());
                continue;
            }
            for next in entities {
                if self.slots.try_set(next.index(), Slot::spare(next.generation())) {
                    self.spare.insert(next.index());
                } else {
                    // The row has no index: that of `Entity::NEVER` has no slot.
                    self.without_index -= 1;
                }
            }
        }
        self.rows.truncate(end);
    }

    /// The key of the archetype that owns a page.
    pub(crate) fn key_of_page(&self, page: usize) -> u64 {
        self.archetypes.list[self.archetypes.of_page[page] as usize].key
    }

    /// Moves the entity of a row to the lowest free row of the archetype with a key. Returns `None`
    /// if the entity stays, as there can be no further archetype or no further row, or no memory. `reserve` is asked whether there is
    /// memory for the components in the new row. O(log archetypes), amortized.
    pub(crate) fn relocate(
        &mut self,
        row: usize,
        key: u64,
        reserve: impl FnOnce(usize) -> bool,
    ) -> Option<usize> {
        let archetype = self.archetypes.of(key);
        // The archetype may get a further page, behind all others.
        let rows = (self.archetypes.of_page.len() + 1) * PAGE_ROWS;
        if self.archetypes.list[archetype].key != key
            || !self.try_reserve_tables(rows, 0)
            || !self.search(archetype)
        {
            return None;
        }
        let this = &mut self.archetypes.list[archetype];
        if !reserve(this.first_free_row()) {
            return None;
        }
        let to = this.occupy_free_row();
        let (old, first) = self.archetypes.with_gap_in(row / PAGE_ROWS);
        old.count -= 1;
        old.search_from(first + row % PAGE_ROWS / BLOCK_ROWS);
        self.extend_rows(to + 1);
        self.rows.swap(row, to);
        let entity = self.rows[to];
        self.slots.set(entity.index(), Slot::living(to, entity));
        self.alive.insert(to);
        self.alive.remove(row);
        Some(to)
    }
}
