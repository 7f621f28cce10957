//! The only check whether a row still matches.

use crate::rows::BLOCK_ROWS;
use crate::state::Demands;
use crate::storage::Storage;

/// The rows that match the demands of a signature, validated again after each change, block by block.
pub(super) struct Recheck<'d> {
    demands: &'d Demands,
    validated: Option<Validated>,
}

/// The rows of a block that matched.
struct Validated {
    block: usize,
    /// The number of changes before the validation.
    changes: u64,
    rows: u64,
}

impl<'d> Recheck<'d> {
    pub(super) fn new(demands: &'d Demands) -> Self {
        Self { demands, validated: None }
    }

    /// Whether the row matches. `changes` is the number of changes until now: while it stays the same, one
    /// validation is enough for consecutive rows of a block.
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
