//! Walking over the members of a slice, page by page.

use core::ops::Range;

use super::SparseSet;
use super::page::SetPage;
use crate::storage::{BLOCK_ROWS, BLOCKS_PER_PAGE, PAGE_ROWS, PageWords};

/// The members of a slice, page by page.
#[derive(Debug)]
pub(crate) struct Pages<'a> {
    pub(super) set: &'a SparseSet,
    pub(super) slice: Slice,
    pub(super) page: usize,
}

impl<'a> Iterator for Pages<'a> {
    type Item = PageSlice<'a>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let (start, end) = self.slice.blocks;
        loop {
            let index = self.page;
            let first_block = index * BLOCKS_PER_PAGE;
            if first_block >= end {
                return None;
            }
            self.page += 1;
            let Some(page) = self.set.pages[index].as_deref() else { continue };
            let blocks =
                start.saturating_sub(first_block)..(end - first_block).min(BLOCKS_PER_PAGE);
            // Nothing of a page is read that the slice has all of, be it full or empty.
            let len = self.set.starts[index + 1] - self.set.starts[index];
            let whole = blocks == (0..BLOCKS_PER_PAGE);
            let offsets = if whole {
                &page.dense[..len]
            } else {
                &page.dense[page.rank(blocks.start)..page.rank(blocks.end)]
            };
            if !offsets.is_empty() {
                let full = whole && len == PAGE_ROWS;
                let words = &self.set.words[index];
                return Some(PageSlice { index, offsets, page, words, blocks, full });
            }
        }
    }
}

/// The members of a slice in one page; there are some.
#[derive(Debug)]
pub(crate) struct PageSlice<'a> {
    /// The page's number.
    pub(crate) index: usize,
    /// The members, as ascending offsets in the page.
    pub(crate) offsets: &'a [u16],
    page: &'a SetPage,
    words: &'a PageWords,
    blocks: Range<usize>,
    /// Whether all rows of the page are members.
    full: bool,
}

impl PageSlice<'_> {
    /// Calls `f` with each offset, in order.
    ///
    /// Full blocks are walked as ranges, which lets the compiler vectorise, and for which the
    /// offsets need not be read; members of other blocks are gathered.
    #[inline(always)]
    pub(crate) fn for_each(&self, mut f: impl FnMut(usize)) {
        let is_full = |block: usize| usize::from(self.page.counts[block]) == BLOCK_ROWS;
        let Range { start: mut block, end } = self.blocks;
        let mut offsets = self.offsets;
        while block < end {
            let first = block;
            let full = self.full || is_full(block);
            let mut members = offsets.len();
            if self.full {
                block = end;
            } else {
                while block < end && is_full(block) == full {
                    block += 1;
                }
                members = SetPage::sum(&self.page.counts[first..block]);
            }
            let (these, rest) = offsets.split_at(members);
            offsets = rest;
            // One call of `f` for both kinds, so that it is inlined however large it is; the compiler makes
            // two loops of small ones.
            for (position, &offset) in these.iter().enumerate() {
                f(if full { first * BLOCK_ROWS + position } else { usize::from(offset) });
            }
        }
    }
}

impl PageSlice<'_> {
    /// Calls `f` with the first offset and the length of each run of contiguous members, in order.
    #[inline(always)]
    pub(crate) fn for_each_run(&self, mut f: impl FnMut(usize, usize)) {
        if self.full {
            return f(0, self.offsets.len());
        }
        let (first, last) = (self.offsets[0], self.offsets[self.offsets.len() - 1]);
        // Most pages have no gap.
        if usize::from(last - first) + 1 == self.offsets.len() {
            return f(usize::from(first), self.offsets.len());
        }
        let Range { start, end } = self.blocks;
        let mut from = start * BLOCK_ROWS;
        while let Some(first) = SetPage::find(self.words, true, from, end) {
            let behind = SetPage::find(self.words, false, first, end).unwrap_or(end * BLOCK_ROWS);
            f(first, behind - first);
            from = behind;
        }
    }
}

/// A stretch of a [`SparseSet`] between two blocks: the entities of one subtask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slice {
    pub(super) blocks: (usize, usize),
    pub(super) len: usize,
}

impl Slice {
    /// How many members lie in the slice.
    pub(crate) fn len(self) -> usize {
        self.len
    }
}
