//! Whether a match is one still: the one place that asks.

use crate::storage::{BLOCK_ROWS, Storage};
use crate::system::Demands;

/// Who matches the demands of a signature, judged anew after each change, block by block.
pub(super) struct Recheck<'d> {
    demands: &'d Demands,
    judged: Option<Judged>,
}

/// Who matched in a block.
struct Judged {
    block: usize,
    /// How many changes there had been.
    changes: u64,
    rows: u64,
}

impl<'d> Recheck<'d> {
    pub(super) fn new(demands: &'d Demands) -> Self {
        Self { demands, judged: None }
    }

    /// Whether the row matches. So many `changes` were made up to now: as long as there are no more, one look is
    /// enough for the rows of a block that follow one another.
    #[inline]
    pub(super) fn matches(&mut self, storage: &Storage, changes: u64, row: usize) -> bool {
        let block = row / BLOCK_ROWS;
        let rows = match self.judged {
            Some(Judged { block: same, changes: at, rows }) if same == block && at == changes => {
                rows
            }
            _ => {
                let rows = self.demands.matching(storage, block);
                self.judged = Some(Judged { block, changes, rows });
                rows
            }
        };
        rows >> (row % BLOCK_ROWS) & 1 == 1
    }
}
