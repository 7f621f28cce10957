//! A set of few rows out of many, in ascending order.

use crate::rows::{BLOCK_ROWS, rows_of};

/// Rows as masks of blocks, sorted by block: the children of an entity, or the entities of a level.
///
/// Rows that lie together share a word, so a set of all rows has a 64th of their number of words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RowSet {
    /// No mask is empty.
    blocks: Vec<(u32, u64)>,
    len: usize,
}

impl RowSet {
    /// The number of rows. O(1).
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none. O(1).
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The blocks with rows, ascending, and a mask for each.
    #[inline]
    pub(crate) fn blocks(&self) -> &[(u32, u64)] {
        &self.blocks
    }

    /// The rows, ascending.
    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> + Clone + '_ {
        self.blocks.iter().flat_map(|&(block, rows)| rows_of(block as usize, rows))
    }

    /// Adds a row. Returns whether it was missing. O(log blocks), and O(blocks) for the first row of a block that is not the
    /// last one.
    pub(crate) fn insert(&mut self, row: usize) -> bool {
        let (block, bit) = ((row / BLOCK_ROWS) as u32, 1 << (row % BLOCK_ROWS));
        let at = match self.blocks.last_mut() {
            Some((last, rows)) if *last == block => {
                let is_new = *rows & bit == 0;
                *rows |= bit;
                self.len += usize::from(is_new);
                return is_new;
            }
            Some((last, _)) if *last > block => self.place(block),
            _ => self.blocks.len(),
        };
        match self.blocks.get_mut(at) {
            Some((there, rows)) if *there == block => {
                let is_new = *rows & bit == 0;
                *rows |= bit;
                self.len += usize::from(is_new);
                is_new
            }
            _ => {
                self.blocks.insert(at, (block, bit));
                self.len += 1;
                true
            }
        }
    }

    /// Removes a row. Returns whether it was there. O(log blocks), and O(blocks) for the last row of a block.
    pub(crate) fn remove(&mut self, row: usize) -> bool {
        let (block, bit) = ((row / BLOCK_ROWS) as u32, 1 << (row % BLOCK_ROWS));
        let at = self.place(block);
        let Some((there, rows)) = self.blocks.get_mut(at) else { return false };
        if *there != block || *rows & bit == 0 {
            return false;
        }
        *rows &= !bit;
        self.len -= 1;
        if *rows == 0 {
            self.blocks.remove(at);
        }
        true
    }

    /// Removes the rows that `masks` has, by block. O(blocks).
    pub(crate) fn subtract(&mut self, masks: &[u64]) {
        let mut len = 0;
        self.blocks.retain_mut(|(block, rows)| {
            *rows &= !masks.get(*block as usize).copied().unwrap_or(0);
            len += rows.count_ones() as usize;
            *rows != 0
        });
        self.len = len;
    }

    /// Removes all rows, and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.blocks.clear();
        self.len = 0;
    }

    fn place(&self, block: u32) -> usize {
        self.blocks.partition_point(|&(there, _)| there < block)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_has_the_rows_that_a_sorted_set_has(
            changes in proptest::collection::vec((0_usize..400, 0_u8..8), 0..200)
        ) {
            let (mut set, mut expected) = (RowSet::default(), BTreeSet::new());
            for (row, what) in changes {
                match what {
                    0..5 => prop_assert_eq!(set.insert(row), expected.insert(row)),
                    5 => {
                        let masks = [u64::MAX, 0b1010, 0, 1 << 63];
                        set.subtract(&masks);
                        let is_in = |row: &usize| {
                            masks.get(row / 64).is_some_and(|mask| mask >> (row % 64) & 1 == 1)
                        };
                        expected.retain(|row| !is_in(row));
                    }
                    _ => prop_assert_eq!(set.remove(row), expected.remove(&row)),
                }
                prop_assert_eq!(set.len(), expected.len());
                prop_assert_eq!(set.is_empty(), expected.is_empty());
                prop_assert!(set.iter().eq(expected.iter().copied()));
                prop_assert!(set.blocks().iter().all(|(_, rows)| *rows != 0));
            }
            set.clear();
            prop_assert_eq!(set, RowSet::default());
        }
    }
}
