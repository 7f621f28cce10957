//! Marks of what changes, for components that a system asks about (`changed`, `added`). For others, all of this is nothing.

use core::ops::Range;

use super::{BLOCK_ROWS, HasColumn, Lanes, PAGE_ROWS, Storage, assert_names, component_signature};
use crate::entity::AllocatedRows;
use crate::rows::LaneCount;
use crate::types::StateHasher;

impl Storage {
    /// Tracks the component at `index` in as many lanes. There must be no entities.
    pub(crate) fn track(&mut self, index: usize, lanes: LaneCount) {
        self.columns[index].lanes = Lanes::new(lanes);
        self.tracked.push(index);
    }

    /// Makes room for the marks of this many blocks.
    #[inline]
    pub(super) fn reserve_marks(&mut self, blocks: usize) {
        for &index in &self.tracked {
            self.columns[index].lanes.reserve(blocks);
        }
    }

    /// Frees the marks of the blocks from `blocks` on, in which no row is in use.
    pub(super) fn truncate_marks(&mut self, blocks: usize) {
        for &index in &self.tracked {
            self.columns[index].lanes.truncate(blocks);
        }
    }

    /// Marks the component at `index` of spawned rows, which have it.
    #[inline]
    pub(super) fn note_spawned(&mut self, index: usize, spawned: &[AllocatedRows]) {
        if self.tracked.is_empty() {
            return;
        }
        let lanes = &mut self.columns[index].lanes;
        for &AllocatedRows { block, rows, .. } in spawned {
            lanes.reserve(block as usize + 1);
            lanes.mark(block as usize, rows, rows);
        }
    }

    /// Moves marks with the entities, in the order of the moves. Those of entities without the component mean nothing.
    #[inline]
    pub(super) fn move_marks(&mut self, moves: &[(usize, usize)]) {
        for &index in &self.tracked {
            let lanes = &mut self.columns[index].lanes;
            for &(from, to) in moves {
                lanes.move_row(from, to);
            }
        }
    }

    /// Takes over the marks of another storage of the same declaration.
    pub(super) fn copy_marks(&mut self, from: &Self) {
        for &index in &self.tracked {
            self.columns[index].lanes.copy(&from.columns[index].lanes);
        }
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

    /// The values of `C` in these rows may be written from now on, until `&mut self` is borrowed again.
    #[inline(always)]
    pub(crate) fn note_writes<D: HasColumn<C>, C: 'static>(&self, rows: Range<usize>) {
        if const { has_versions::<D, C>() } {
            self.column::<D, C>().versions.forget_rows(rows);
        }
    }

    /// Marks the `C` of the row, which has one, as changed.
    #[inline(always)]
    pub(super) fn note_changed<D: HasColumn<C>, C: 'static>(&mut self, row: usize) {
        assert_names::<D, C>();
        // Which rows have a `C` stays as it is.
        // SAFETY: as in `column`.
        let column =
            unsafe { self.columns.as_same().get_unchecked_mut(<D as HasColumn<C>>::INDEX) };
        if const { has_versions::<D, C>() } {
            column.versions.forget_alone(row / PAGE_ROWS);
        }
        if const { D::LANES.is_tracked() } {
            column.lanes.mark_row(row, false);
        }
    }

    /// Marks the `C` that the row has got, as `new` if it had none.
    #[inline(always)]
    pub(super) fn note_inserted<D: HasColumn<C>, C: 'static>(&mut self, row: usize, new: bool) {
        if const { has_versions::<D, C>() } && !new {
            self.column::<D, C>().versions.forget(row / PAGE_ROWS);
        }
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

/// Whether the pages of `C` have versions.
pub(super) const fn has_versions<D: HasColumn<C>, C: 'static>() -> bool {
    component_signature::<D, C>().has_versions()
}
