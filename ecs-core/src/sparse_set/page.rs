//! One page of a sparse integer set.

use crate::storage::{BLOCK_ROWS, BLOCKS_PER_PAGE, PAGE_ROWS};

/// The members among the rows of one page, on both sides.
#[derive(Debug)]
pub(super) struct SetPage {
    /// The sparse side.
    pub(super) words: [u64; BLOCKS_PER_PAGE],
    /// The dense side: the first `len` entries, each an offset in the page.
    pub(super) dense: [u16; PAGE_ROWS],
    pub(super) len: usize,
    /// How many entries of `dense` each block has.
    pub(super) counts: [u8; BLOCKS_PER_PAGE],
    /// A mask of the blocks whose entries are out of date.
    pub(super) stale: u64,
}

impl SetPage {
    pub(super) const EMPTY: Self = Self {
        words: [0; BLOCKS_PER_PAGE],
        dense: [0; PAGE_ROWS],
        len: 0,
        counts: [0; BLOCKS_PER_PAGE],
        stale: 0,
    };

    /// Brings the dense side up to date.
    pub(super) fn restore(&mut self) {
        let old = self.dense;
        let (mut from, mut to) = (0, 0);
        let mut block = 0;
        while block < BLOCKS_PER_PAGE {
            // The blocks up to the next stale one stay as they are.
            let clean =
                ((self.stale >> block).trailing_zeros() as usize).min(BLOCKS_PER_PAGE - block);
            let kept = Self::sum(&self.counts[block..block + clean]);
            self.dense[to..to + kept].copy_from_slice(&old[from..from + kept]);
            (from, to) = (from + kept, to + kept);
            block += clean;
            if block < BLOCKS_PER_PAGE {
                from += usize::from(self.counts[block]);
                let count = self.write_block(block, to);
                self.counts[block] = count as u8;
                to += count;
                block += 1;
            }
        }
        self.len = to;
        self.stale = 0;
    }

    /// Writes the entries of a block from `at` on; how many they are.
    fn write_block(&mut self, block: usize, at: usize) -> usize {
        let first = (block * BLOCK_ROWS) as u16;
        let mut rest = self.words[block];
        let count = rest.count_ones() as usize;
        let entries = &mut self.dense[at..at + count];
        if count == BLOCK_ROWS {
            for (entry, offset) in entries.iter_mut().zip(first..) {
                *entry = offset;
            }
        } else {
            for entry in entries {
                *entry = first + rest.trailing_zeros() as u16;
                rest &= rest - 1;
            }
        }
        count
    }

    /// How many members lie in blocks before `block`.
    pub(super) fn rank(&self, block: usize) -> usize {
        if block == BLOCKS_PER_PAGE { self.len } else { Self::sum(&self.counts[..block]) }
    }

    pub(super) fn sum(counts: &[u8]) -> usize {
        counts.iter().map(|&count| usize::from(count)).sum()
    }
}
