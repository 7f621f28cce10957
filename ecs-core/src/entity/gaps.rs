//! Gaps between rows in use, and how they are closed.

use super::kinds::Kind;
use super::metadata::Entities;
use super::slots::Slot;
use crate::storage::{BLOCK_ROWS, end_of};

impl Entities {
    /// Whether there are free rows before rows in use.
    pub(crate) fn has_gaps(&self) -> bool {
        self.kinds.have_gaps()
    }

    /// So many of a kind were born before the dead have left.
    pub(crate) fn count_births(&mut self, kind: usize, count: usize) {
        self.kinds.for_births(kind).born += count;
    }

    /// A step begins: births are counted from here on.
    pub(crate) fn begin_step(&mut self) {
        self.kinds.begin_step();
    }

    /// Closes gaps: of each kind, entities of the last rows move into the lowest free ones. `moved` is called with
    /// the old and the new row of each.
    ///
    /// Twice as many gaps stay as there were births in this step before the dead had left, in the expectation of
    /// about as many again: they would fill the gaps anyway. O(moves + rows that come free at the end + kinds).
    pub(crate) fn refill(&mut self, mut moved: impl FnMut(usize, usize)) {
        for number in 0..self.kinds.len() {
            self.refill_kind(self.kinds.in_order(number), &mut moved);
        }
        let end = self.kinds.note_gaps();
        if end < self.rows.len() {
            self.end_rows(end);
        }
    }

    fn refill_kind(&mut self, kind: usize, moved: &mut impl FnMut(usize, usize)) {
        loop {
            let end = self.find_end(kind, 0);
            let Kind { count, born, .. } = *self.kinds.get(kind);
            if end - count <= 2 * born {
                break;
            }
            // There is a gap, and the last row is in use: so the gap lies before it.
            self.search(kind);
            let to = self.kinds.get_mut(kind).take_free_row();
            let from = self.kinds.get(kind).row(end - 1);
            let entity = self.rows[from];
            self.rows.swap(from, to);
            self.slots[entity.index() as usize] = Slot::living(to);
            self.alive.insert(to);
            self.alive.remove(from);
            self.kinds.get_mut(kind).search_from((end - 1) / BLOCK_ROWS);
            moved(from, to);
        }
    }

    /// Finds out behind which position of a kind nobody lives, which is not below `floor`. O(blocks without anybody
    /// behind it).
    pub(super) fn find_end(&mut self, kind: usize, floor: usize) -> usize {
        let this = self.kinds.get_mut(kind);
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

    /// The rows from `end` on, which are free, are rows no more, and their indices are spare.
    pub(super) fn end_rows(&mut self, end: usize) {
        self.spare.expect(self.slots.len());
        for next in self.rows.drain(end..) {
            self.slots[next.index() as usize] = Slot::spare(next.generation());
            self.spare.insert(next.index());
        }
    }
}
