//! Whether a match is one still: the one place that asks.

use crate::storage::{BLOCK_ROWS, Storage};
use crate::system::Demands;

/// Who matches the demands of a signature, validated anew after each change, block by block.
pub(super) struct Recheck<'d> {
    demands: &'d Demands,
    validated: Option<Validated>,
}

/// Who matched in a block.
struct Validated {
    block: usize,
    /// How many changes there had been.
    changes: u64,
    rows: u64,
}

impl<'d> Recheck<'d> {
    pub(super) fn new(demands: &'d Demands) -> Self {
        Self { demands, validated: None }
    }

    /// Whether the row matches. So many `changes` were made up to now: as long as there are no more, one look is
    /// enough for the rows of a block that follow one another.
    #[inline]
    pub(super) fn matches(&mut self, storage: &Storage, changes: u64, row: usize) -> bool {
        let block = row / BLOCK_ROWS;
        let rows = match self.validated {
            Some(Validated { block: same, changes: at, rows })
                if same == block && at == changes =>
            {
                rows
            }
            _ => {
                let rows = self.demands.matching(storage, block);
                self.validated = Some(Validated { block, changes, rows });
                rows
            }
        };
        rows >> (row % BLOCK_ROWS) & 1 == 1
    }
}
