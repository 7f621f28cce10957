//! Marked rows, in the order of the marks, and a set of rows that is filled, and emptied block by block.

use crate::rows::{BLOCK_ROWS, Presence};

/// Marks of rows, a mask for each run of marks in the same block of 64 rows.
///
/// Systems iterate in ascending order, so there are few masks.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    blocks: Vec<(u32, u64)>,
}

impl Marks {
    /// Marks a row. Repeated marks have no effect. O(1), amortized.
    #[inline]
    pub(crate) fn mark(&mut self, row: usize) {
        let (block, bit) = ((row / BLOCK_ROWS) as u32, 1 << (row % BLOCK_ROWS));
        match self.blocks.last_mut() {
            Some((last, rows)) if *last == block => *rows |= bit,
            _ => self.blocks.push((block, bit)),
        }
    }

    /// Marks rows of a block, given as a mask. O(1), amortized.
    pub(crate) fn mark_block(&mut self, block: usize, rows: u64) {
        self.blocks.push((block as u32, rows));
    }

    /// Reserves memory for marks among `rows` rows, in `runs` ascending runs one after the other.
    /// So the distribution of the marks does not influence when memory is allocated.
    pub(crate) fn expect(&mut self, rows: usize, runs: usize) {
        let blocks = rows.div_ceil(BLOCK_ROWS) + runs;
        if self.blocks.capacity() < blocks {
            self.blocks.reserve(blocks + blocks / 2 - self.blocks.len());
        }
    }

    /// Removes the marks of rows that are not in `set`.
    pub(crate) fn retain(&mut self, set: &Presence) {
        self.blocks.retain_mut(|(block, rows)| {
            *rows &= set.word(*block as usize);
            *rows != 0
        });
    }

    /// Moves all marks of `other` to the end of this list.
    pub(crate) fn append(&mut self, other: &mut Self) {
        self.blocks.append(&mut other.blocks);
    }

    /// Removes all marks and returns them as blocks and masks, in order. A block may occur more
    /// than once.
    pub(crate) fn drain(&mut self) -> impl Iterator<Item = (usize, u64)> {
        self.blocks.drain(..).map(|(block, rows)| (block as usize, rows))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    pub(crate) fn clear(&mut self) {
        self.blocks.clear();
    }
}

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
    pub(crate) fn word(&self, block: usize) -> u64 {
        self.masks.get(block).copied().unwrap_or(0)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// Adds a row. O(1), amortized.
    #[inline]
    pub(crate) fn add(&mut self, row: usize) {
        self.add_block(row / BLOCK_ROWS, 1 << (row % BLOCK_ROWS));
    }

    /// Adds rows of a block. O(1), amortized.
    #[inline]
    pub(crate) fn add_block(&mut self, block: usize, rows: u64) {
        if self.masks.len() <= block {
            self.masks.resize(block + 1, 0);
        }
        if self.masks[block] == 0 && rows != 0 {
            self.blocks.push(block as u32);
        }
        self.masks[block] |= rows;
    }

    /// All rows, block by block, in the order in which blocks got their first row.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, u64)> + '_ {
        self.blocks.iter().map(|&block| (block as usize, self.masks[block as usize]))
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
    fn runs_share_a_mask_and_the_others_are_forgotten() {
        let mut marks = Marks::default();
        for row in [3, 3, 5, 64, 70, 4, 200] {
            marks.mark(row);
        }
        let mut more = Marks::default();
        more.expect(100, 1);
        more.mark(6);
        marks.append(&mut more);
        assert!(more.is_empty() && !marks.is_empty());
        let mut set = Presence::dynamic(0);
        for row in [3, 4, 70, 6] {
            assert!(set.insert(row));
        }
        marks.retain(&set);
        let left: Vec<_> = marks.drain().collect();
        assert_eq!(left, [(0, 1 << 3), (1, 1 << 6), (0, 1 << 4), (0, 1 << 6)]);
        assert!(marks.is_empty());
    }

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
