//! A set of rows that is filled, and emptied block by block.

use crate::storage::BLOCK_ROWS;

/// Rows as masks of blocks.
#[derive(Debug, Default)]
pub(crate) struct Masks {
    /// A mask for each block, up to the highest block with rows so far.
    masks: Vec<u64>,
    /// The blocks with rows, in the order in which they got their first row.
    blocks: Vec<u32>,
}

impl Masks {
    /// The rows of a block.
    #[inline]
    pub(super) fn word(&self, block: usize) -> u64 {
        self.masks.get(block).copied().unwrap_or(0)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// Adds a row. O(1), amortized.
    #[inline]
    pub(super) fn add(&mut self, row: usize) {
        self.add_block(row / BLOCK_ROWS, 1 << (row % BLOCK_ROWS));
    }

    /// Adds rows of a block. O(1), amortized.
    #[inline]
    pub(super) fn add_block(&mut self, block: usize, rows: u64) {
        if self.masks.len() <= block {
            self.masks.resize(block + 1, 0);
        }
        if self.masks[block] == 0 && rows != 0 {
            self.blocks.push(block as u32);
        }
        self.masks[block] |= rows;
    }

    /// Removes all rows, block by block, in the order in which blocks got their first row. The
    /// iterator must be exhausted: otherwise the remaining masks stay without being listed.
    pub(crate) fn drain(&mut self) -> impl Iterator<Item = (usize, u64)> {
        let Self { masks, blocks } = self;
        blocks.drain(..).map(|block| (block as usize, core::mem::take(&mut masks[block as usize])))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_come_out_in_the_order_in_which_they_came_in() {
        let mut masks = Masks::default();
        for row in [200, 3, 201, 3, 64] {
            masks.add(row);
        }
        masks.add_block(1, 1 << 2);
        masks.add_block(7, 0);
        assert_eq!((masks.word(1), masks.word(7), masks.word(99)), (1 | 1 << 2, 0, 0));
        let all: Vec<_> = masks.drain().collect();
        assert_eq!(all, [(3, 3 << 8), (0, 1 << 3), (1, 1 | 1 << 2)]);
        assert!(masks.is_empty() && masks.word(3) == 0);
    }
}
