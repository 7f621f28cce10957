//! Whether a match is one still: the one place that asks.

use crate::storage::{BLOCK_ROWS, Storage};
use crate::system::Demands;

/// Who in a block of rows matches the demands of a signature, judged anew after each change.
pub(super) struct Recheck<'d> {
    demands: &'d Demands,
    block: usize,
    /// The matches in the block when there had been so many changes.
    judged: Option<(u64, u64)>,
}

impl<'d> Recheck<'d> {
    pub(super) fn new(demands: &'d Demands, block: usize) -> Self {
        Self { demands, block, judged: None }
    }

    /// Whether the row, which is one of the block, matches. So many `changes` were made up to now: as long as
    /// there are no more, one look is enough for the block.
    #[inline]
    pub(super) fn matches(&mut self, storage: &Storage, changes: u64, row: usize) -> bool {
        debug_assert_eq!(row / BLOCK_ROWS, self.block, "a row of the block");
        let rows = match self.judged {
            Some((at, rows)) if at == changes => rows,
            _ => {
                let rows = self.demands.matching(storage, self.block);
                self.judged = Some((changes, rows));
                rows
            }
        };
        rows >> (row % BLOCK_ROWS) & 1 == 1
    }
}
