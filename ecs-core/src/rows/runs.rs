//! Runs of contiguous rows, one after the other, for iterators.

use core::ops::Range;

use super::{BLOCK_ROWS, BLOCKS_PER_PAGE, PAGE_ROWS};

/// A set of rows, by blocks. It is `Copy`: see [`Runs`].
pub(crate) trait Blocks: Copy {
    /// The members among the 64 rows of `block`, as a mask.
    fn word(self, block: usize) -> u64;

    /// The number of members in a page, if it is known.
    #[inline(always)]
    fn members_of_page(self, _: usize) -> Option<usize> {
        None
    }
}

/// The runs that are left of a range of blocks.
///
/// It is `Copy`, so that the rare path of an iterator can take it by value and return it: a loop over an iterator
/// whose address is passed on would keep its state in memory, where each write of the body might change it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Runs {
    /// The first block whose members are still unread.
    block: usize,
    end: usize,
    /// The members of the block before it that are in no run yet.
    rest: u64,
}

impl Runs {
    /// The runs of the blocks in this range.
    #[inline]
    pub(crate) fn over((block, end): (usize, usize)) -> Self {
        Self { block, end, rest: 0 }
    }

    /// The blocks whose members are still unread.
    #[inline(always)]
    pub(crate) fn unread(&self) -> (usize, usize) {
        (self.block, self.end)
    }

    /// The number of members that are in no run yet, of the block that was read last.
    #[inline(always)]
    pub(crate) fn rest(&self) -> usize {
        self.rest.count_ones() as usize
    }

    /// The next run in the block that was read last, as offsets in the page.
    #[inline(always)]
    pub(crate) fn next_in_block(&mut self) -> Option<Range<usize>> {
        if self.rest == 0 {
            return None;
        }
        // Adding the lowest member to the run that begins with it gives the first row after the run, or an overflow
        // if the run goes up to the end of the block.
        let after = self.rest.wrapping_add(self.rest & self.rest.wrapping_neg());
        let base = (self.block - 1) % BLOCKS_PER_PAGE * BLOCK_ROWS;
        let run =
            base + self.rest.trailing_zeros() as usize..base + after.trailing_zeros() as usize;
        self.rest &= after;
        Some(run)
    }

    /// The next run that begins in an unread block: its page, and its offsets in there. It is as long as possible within
    /// the page. The rest of the block that was read last is dropped.
    #[inline(always)]
    pub(crate) fn next_block(&mut self, blocks: impl Blocks) -> Option<(usize, Range<usize>)> {
        while self.block < self.end {
            let (page, first) = (self.block / BLOCKS_PER_PAGE, self.block);
            if first % BLOCKS_PER_PAGE == 0 && first + BLOCKS_PER_PAGE <= self.end {
                let members = blocks.members_of_page(page);
                if members == Some(0) || members == Some(PAGE_ROWS) {
                    self.block += BLOCKS_PER_PAGE;
                    if members == Some(0) {
                        continue;
                    }
                    self.rest = 0;
                    return Some((page, 0..PAGE_ROWS));
                }
            }
            self.rest = blocks.word(first);
            self.block += 1;
            let Some(mut run) = self.next_in_block() else { continue };
            // Up to the end of its block, so perhaps on in the next ones.
            let end = self.end.min((page + 1) * BLOCKS_PER_PAGE);
            while run.end == (self.block - page * BLOCKS_PER_PAGE) * BLOCK_ROWS && self.block < end
            {
                let word = blocks.word(self.block);
                if word & 1 == 0 {
                    break;
                }
                self.block += 1;
                self.rest = word & word.wrapping_add(1);
                run.end += word.trailing_ones() as usize;
            }
            return Some((page, run));
        }
        self.rest = 0;
        None
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::rows::rows_of;

    #[derive(Clone, Copy)]
    struct Listed<'a>(&'a [u64], bool);

    impl Blocks for Listed<'_> {
        fn word(self, block: usize) -> u64 {
            self.0[block]
        }

        fn members_of_page(self, page: usize) -> Option<usize> {
            let words = &self.0[page * BLOCKS_PER_PAGE..(page + 1) * BLOCKS_PER_PAGE];
            self.1.then(|| words.iter().map(|word| word.count_ones() as usize).sum())
        }
    }

    proptest! {
        #[test]
        fn runs_are_the_members_in_order(
            base in prop_oneof![Just(0), Just(u64::MAX), any::<u64>()],
            words in proptest::collection::vec(
                (0..3 * BLOCKS_PER_PAGE, prop_oneof![any::<u64>(), Just(0), Just(u64::MAX)]),
                0..90,
            ),
            start in 0..3 * BLOCKS_PER_PAGE,
            len in 0..3 * BLOCKS_PER_PAGE,
            knows in any::<bool>(),
        ) {
            let mut all = [base; 3 * BLOCKS_PER_PAGE];
            for (block, word) in words {
                all[block] = word;
            }
            let end = (start + len).min(all.len());
            let mut runs = Runs::over((start, end));
            let mut rows = Vec::new();
            let mut page = None;
            loop {
                let left: usize = all[runs.unread().0..runs.unread().1]
                    .iter().map(|word| word.count_ones() as usize).sum();
                let expected: usize = (start..end).map(|block| all[block].count_ones() as usize).sum();
                prop_assert_eq!(rows.len() + runs.rest() + left, expected);
                let run = match runs.next_in_block() {
                    Some(run) => run,
                    None => match runs.next_block(Listed(&all, knows)) {
                        Some((next, run)) => {
                            page = Some(next);
                            run
                        }
                        None => break,
                    },
                };
                prop_assert!(!run.is_empty() && run.end <= PAGE_ROWS);
                rows.extend(run.map(|offset| page.unwrap() * PAGE_ROWS + offset));
            }
            let expected: Vec<usize> = (start..end).flat_map(|block| rows_of(block, all[block])).collect();
            prop_assert_eq!(rows, expected);
            prop_assert_eq!(runs.next_block(Listed(&all, knows)), None);
        }
    }
}
