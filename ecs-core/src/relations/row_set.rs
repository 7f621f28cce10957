//! A set of few rows out of many, in ascending order.

use core::slice;

use crate::rows::{BLOCK_ROWS, rows_of};

/// Rows as masks of blocks, sorted by block: the children of an entity, or the entities of a level.
///
/// Rows that lie together share a word, so a set of all rows has a 64th of their number of words. A set within one block takes
/// no memory elsewhere: most sets of children are such ones.
#[derive(Clone, Debug, Default)]
pub(crate) struct RowSet {
    blocks: Blocks,
    len: usize,
}

/// No mask is empty, but the only one of an empty set.
#[derive(Clone, Debug)]
enum Blocks {
    One((u32, u64)),
    Many(Vec<(u32, u64)>),
}

impl Default for Blocks {
    fn default() -> Self {
        Self::One((0, 0))
    }
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
        match &self.blocks {
            Blocks::One((_, 0)) => &[],
            Blocks::One(block) => slice::from_ref(block),
            Blocks::Many(blocks) => blocks,
        }
    }

    /// The rows, ascending.
    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> + Clone + '_ {
        self.blocks().iter().flat_map(|&(block, rows)| rows_of(block as usize, rows))
    }

    /// Adds a row. Returns whether it was missing. O(log blocks), and O(blocks) for the first row of a block that is not the
    /// last one.
    pub(crate) fn insert(&mut self, row: usize) -> bool {
        let (block, bit) = ((row / BLOCK_ROWS) as u32, 1 << (row % BLOCK_ROWS));
        let is_new = match &mut self.blocks {
            Blocks::One((there, rows)) if *there == block || *rows == 0 => {
                *there = block;
                let is_new = *rows & bit == 0;
                *rows |= bit;
                is_new
            }
            Blocks::One(one) => {
                let mut blocks = Vec::with_capacity(4);
                blocks.push(*one);
                blocks.insert(usize::from(one.0 < block), (block, bit));
                self.blocks = Blocks::Many(blocks);
                true
            }
            Blocks::Many(blocks) => insert(blocks, block, bit),
        };
        self.len += usize::from(is_new);
        is_new
    }

    /// Removes a row. Returns whether it was there. O(log blocks), and O(blocks) for the last row of a block.
    pub(crate) fn remove(&mut self, row: usize) -> bool {
        let (block, bit) = ((row / BLOCK_ROWS) as u32, 1 << (row % BLOCK_ROWS));
        let was_there = match &mut self.blocks {
            Blocks::One((there, rows)) => {
                let was_there = *there == block && *rows & bit != 0;
                *rows &= !(bit * u64::from(was_there));
                was_there
            }
            Blocks::Many(blocks) => remove(blocks, block, bit),
        };
        self.len -= usize::from(was_there);
        was_there
    }

    /// Removes the rows that `masks` has, by block. O(blocks).
    pub(crate) fn subtract(&mut self, masks: &[u64]) {
        let mut len = 0;
        let mut keep = |(block, rows): &mut (u32, u64)| {
            *rows &= !masks.get(*block as usize).copied().unwrap_or(0);
            len += rows.count_ones() as usize;
            *rows != 0
        };
        match &mut self.blocks {
            Blocks::One(block) => {
                keep(block);
            }
            Blocks::Many(blocks) => blocks.retain_mut(keep),
        }
        self.len = len;
    }

    /// Removes all rows, and keeps the memory.
    pub(crate) fn clear(&mut self) {
        match &mut self.blocks {
            Blocks::One(block) => *block = (0, 0),
            Blocks::Many(blocks) => blocks.clear(),
        }
        self.len = 0;
    }
}

fn place(blocks: &[(u32, u64)], block: u32) -> usize {
    blocks.partition_point(|&(there, _)| there < block)
}

fn insert(blocks: &mut Vec<(u32, u64)>, block: u32, bit: u64) -> bool {
    let at = match blocks.last() {
        Some((last, _)) if *last == block => blocks.len() - 1,
        Some((last, _)) if *last > block => place(blocks, block),
        _ => blocks.len(),
    };
    match blocks.get_mut(at) {
        Some((there, rows)) if *there == block => {
            let is_new = *rows & bit == 0;
            *rows |= bit;
            is_new
        }
        _ => {
            blocks.insert(at, (block, bit));
            true
        }
    }
}

fn remove(blocks: &mut Vec<(u32, u64)>, block: u32, bit: u64) -> bool {
    let at = place(blocks, block);
    let Some((there, rows)) = blocks.get_mut(at) else { return false };
    if *there != block || *rows & bit == 0 {
        return false;
    }
    *rows &= !bit;
    if *rows == 0 {
        blocks.remove(at);
    }
    true
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_has_the_rows_that_a_sorted_set_has(
            changes in proptest::collection::vec((0_usize..400, 0_u8..9), 0..200)
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
                    6 if row < 40 => {
                        set.clear();
                        expected.clear();
                    }
                    _ => prop_assert_eq!(set.remove(row), expected.remove(&row)),
                }
                prop_assert_eq!(set.len(), expected.len());
                prop_assert_eq!(set.is_empty(), expected.is_empty());
                prop_assert!(set.iter().eq(expected.iter().copied()));
                prop_assert!(set.blocks().iter().all(|(_, rows)| *rows != 0));
            }
            set.clear();
            prop_assert!(set.is_empty() && set.blocks().is_empty());
        }
    }
}
