//! Rows allocated to entities that are being spawned.

use crate::rows::{BLOCKS_PER_PAGE, lowest, rows_of};

/// Rows of one block, allocated to entities that are being spawned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct AllocatedRows {
    pub(crate) block: u32,
    /// The number of rows allocated before these, from the first call on.
    pub(crate) first: u32,
    /// The rows, as a mask.
    pub(crate) rows: u64,
}

impl AllocatedRows {
    /// The number of rows allocated up to and including these, from the first call on.
    pub(crate) fn end(&self) -> usize {
        (self.first + self.rows.count_ones()) as usize
    }

    /// The number of these rows.
    pub(crate) fn count(&self) -> usize {
        self.rows.count_ones() as usize
    }

    /// The rows, ascending.
    pub(crate) fn each(self) -> impl Iterator<Item = usize> {
        rows_of(self.block as usize, self.rows)
    }

    pub(crate) fn page(&self) -> usize {
        self.block as usize / BLOCKS_PER_PAGE
    }
}

/// Consecutive allocated rows: those of some blocks, except for parts of the first and the last
/// block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowRanges<'a> {
    blocks: &'a [AllocatedRows],
    /// The rows of the first block that belong to the range.
    head: u64,
    /// The rows of the last block that belong to the range.
    tail: u64,
}

impl<'a> RowRanges<'a> {
    /// All rows of these blocks, which are ascending.
    pub(crate) fn of(blocks: &'a [AllocatedRows]) -> Self {
        Self { blocks, head: u64::MAX, tail: u64::MAX }
    }

    /// The rows of the spawned entities number `from` up to `until`. Each of them has a row in
    /// these blocks.
    pub(crate) fn between(blocks: &'a [AllocatedRows], from: usize, until: usize) -> Self {
        let start = blocks.partition_point(|block| block.first as usize <= from).saturating_sub(1);
        let end = blocks.partition_point(|block| (block.first as usize) < until).max(start);
        let blocks = &blocks[start..end];
        let before = |a: &AllocatedRows, number| lowest(a.rows, number - a.first as usize);
        let head = blocks.first().map_or(0, |first| first.rows & !before(first, from));
        let tail = blocks.last().map_or(0, |last| before(last, until));
        Self { blocks, head, tail }
    }

    /// The page of the first row.
    ///
    /// # Panics
    /// If the range is empty.
    #[inline]
    pub(crate) fn page(&self) -> usize {
        self.blocks[0].page()
    }

    /// The number of blocks.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.blocks.len()
    }

    /// The block at a position, as its number and a mask of its rows.
    ///
    /// # Panics
    /// If there are not that many blocks.
    #[inline]
    pub(crate) fn get(&self, position: usize) -> (usize, u64) {
        let AllocatedRows { block, mut rows, .. } = self.blocks[position];
        if position == 0 {
            rows &= self.head;
        }
        if position + 1 == self.blocks.len() {
            rows &= self.tail;
        }
        (block as usize, rows)
    }

    /// All blocks, as their numbers and masks of their rows.
    #[inline]
    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, u64)> + Clone {
        (0..self.blocks.len()).map(|position| self.get(position))
    }

    /// The number of rows. O(1).
    #[inline]
    pub(crate) fn count(&self) -> usize {
        let Some(last) = self.blocks.len().checked_sub(1) else { return 0 };
        // All rows of the blocks before the last one, which `first` counts, but for those before the head.
        let before_last = self.blocks[last].first - self.blocks[0].first;
        let before_head = if last == 0 { 0 } else { self.blocks[0].rows & !self.head };
        (before_last - before_head.count_ones() + self.get(last).1.count_ones()) as usize
    }

    /// The rows of each page.
    #[inline]
    pub(crate) fn by_page(self) -> impl Iterator<Item = RowRanges<'a>> {
        let mut done = 0;
        let all = self.blocks.len();
        let pages = self.blocks.chunk_by(|one, next| one.page() == next.page());
        pages.map(move |blocks| {
            let head = if done == 0 { self.head } else { u64::MAX };
            done += blocks.len();
            let tail = if done == all { self.tail } else { u64::MAX };
            RowRanges { blocks, head, tail }
        })
    }

    /// The rows before the block at `position`, and the rows of this block that are in `mask`.
    pub(crate) fn up_to(self, position: usize, mask: u64) -> Self {
        let whole = position + 1 == self.blocks.len();
        let tail = if whole { self.tail & mask } else { mask };
        Self { blocks: &self.blocks[..=position], tail, ..self }
    }
}

/// The allocated rows, in order.
#[cfg(test)]
pub(super) fn all_rows(blocks: &[AllocatedRows]) -> Vec<usize> {
    blocks.iter().flat_map(|allocated| allocated.each()).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::rows::BLOCK_ROWS;

    fn rows(ranges: RowRanges<'_>) -> Vec<usize> {
        ranges.iter().flat_map(|(block, rows)| rows_of(block, rows)).collect()
    }

    proptest! {
        /// Compared with a list of rows.
        #[test]
        fn they_are_a_part_of_a_list(
            masks in proptest::collection::vec((1..90_u32, any::<u64>(), any::<u64>()), 1..9),
            from in 0..400_usize,
            count in 0..400_usize,
            position in 0..9_usize,
            mask: u64,
        ) {
            let (mut block, mut first) = (0, 0);
            let mut blocks = Vec::new();
            for (gap, a, b) in masks {
                block += gap;
                let rows = a & b | 1;
                blocks.push(AllocatedRows { block, first, rows });
                first += rows.count_ones();
            }
            let all = rows(RowRanges::of(&blocks));
            prop_assert_eq!(all.len(), first as usize);
            let from = from.min(all.len());
            let until = (from + count).min(all.len());
            let ranges = RowRanges::between(&blocks, from, until);
            prop_assert_eq!(&rows(ranges)[..], &all[from..until]);
            prop_assert_eq!(ranges.count(), until - from);
            let pages: Vec<_> = ranges.by_page().collect();
            let joined: Vec<usize> = pages.iter().flat_map(|&page| rows(page)).collect();
            prop_assert_eq!(&joined[..], &all[from..until]);
            for page in pages {
                let all = rows(page);
                prop_assert_eq!(page.count(), all.len());
                let is_here = |row: &usize| row / (BLOCK_ROWS * BLOCKS_PER_PAGE) == page.page();
                prop_assert!(all.iter().all(is_here));
                let position = position % page.len();
                let (last, mask) = (page.get(position).0, mask & page.get(position).1);
                let expected: Vec<usize> = all
                    .into_iter()
                    .filter(|row| row / BLOCK_ROWS < last
                        || row / BLOCK_ROWS == last && mask >> (row % BLOCK_ROWS) & 1 == 1)
                    .collect();
                prop_assert_eq!(page.up_to(position, mask).count(), expected.len());
                prop_assert_eq!(rows(page.up_to(position, mask)), expected);
            }
        }
    }
}
