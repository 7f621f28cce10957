//! Marks of what changes, for components that a system asks about (`changed`, `added`). For others, all of this is nothing.

use super::{BLOCK_ROWS, HasColumn, Lanes, Storage, assert_names};
use crate::rows::LaneCount;
use crate::types::StateHasher;

impl Storage {
    /// Tracks the component at `index` in as many lanes. There must be no entities.
    pub(crate) fn track(&mut self, index: usize, lanes: LaneCount) {
        self.columns[index].lanes = Lanes::new(lanes);
    }

    /// The lanes of the component at `index`.
    #[inline]
    pub(crate) fn lanes_at(&self, index: usize) -> &Lanes {
        &self.columns[index].lanes
    }

    /// The lanes of `C`.
    #[inline(always)]
    pub(crate) fn lanes<D: HasColumn<C>, C: 'static>(&self) -> &Lanes {
        &self.column::<D, C>().lanes
    }

    /// Marks the `C` of the row, which has one, as changed.
    #[inline(always)]
    pub(super) fn note_changed<D: HasColumn<C>, C: 'static>(&self, row: usize) {
        if const { D::LANES.is_tracked() } {
            self.lanes::<D, C>().mark(row / BLOCK_ROWS, 1 << (row % BLOCK_ROWS), 0);
        }
    }

    /// Marks the `C` that the row has got, as `new` if it had none.
    #[inline(always)]
    pub(super) fn note_inserted<D: HasColumn<C>, C: 'static>(&mut self, row: usize, new: bool) {
        if const { D::LANES.is_tracked() } {
            assert_names::<D, C>();
            self.columns[<D as HasColumn<C>>::INDEX].lanes.mark_row(row, new);
        }
    }

    /// Hashes which rows have a mark, for each lane of `C`.
    pub(super) fn hash_lanes<D: HasColumn<C>, C: 'static>(&self, hasher: &mut StateHasher) {
        use crate::types::StateHash as _;
        let column = self.column::<D, C>();
        let blocks = self.entities.rows().len().div_ceil(BLOCK_ROWS);
        column.lanes.for_each(blocks, |block, word| {
            // A bit of another row means nothing.
            (word & column.presence.word(block)).state_hash(hasher);
        });
    }
}
