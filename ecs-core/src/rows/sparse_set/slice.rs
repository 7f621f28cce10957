//! Iteration over the members of a slice, page by page.

use core::ops::Range;

use super::SparseSet;
use super::list::ALL;
use super::page::SetPage;
use crate::rows::{BLOCK_ROWS, BLOCKS_PER_PAGE, PAGE_ROWS, next_run};

/// The members of a slice, page by page.
pub(crate) struct Pages<'a> {
    set: &'a SparseSet,
    /// The pages of the set, copied here: the compiler must assume that a write between two pages
    /// may change the set.
    all: &'a [Option<Box<SetPage>>],
    starts: &'a [usize],
    blocks: (usize, usize),
    page: usize,
}

impl<'a> Pages<'a> {
    #[inline]
    pub(super) fn new(set: &'a SparseSet, blocks: (usize, usize)) -> Self {
        let page = blocks.0 / BLOCKS_PER_PAGE;
        Self { set, all: &set.pages, starts: &set.starts, blocks, page }
    }
}

impl<'a> Iterator for Pages<'a> {
    type Item = PageSlice<'a>;

    /// Inlined: for few entities the loop over pages would take longer than the work on them. In a dev build, where it
    /// would only be another copy for each system, it is a call.
    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next(&mut self) -> Option<Self::Item> {
        let (start, end) = self.blocks;
        loop {
            let index = self.page;
            let first_block = index * BLOCKS_PER_PAGE;
            if first_block >= end {
                return None;
            }
            self.page += 1;
            let Some(page) = self.all[index].as_deref() else { continue };
            // If the slice has the whole page, and all its rows are members, nothing of the page is read here. There are two
            // returns, as with a common one loops take up to 8 % more instructions (`output_and_sum_10_000_of_4`).
            if start <= first_block && first_block + BLOCKS_PER_PAGE <= end {
                let len = self.starts[index + 1] - self.starts[index];
                if len > 0 {
                    let start = (len == PAGE_ROWS).then_some(0).or_else(|| page.without_gap());
                    let blocks = (0, BLOCKS_PER_PAGE);
                    return Some(PageSlice { index, len, start, page, set: self.set, blocks });
                }
            } else {
                let blocks =
                    (start.saturating_sub(first_block), (end - first_block).min(BLOCKS_PER_PAGE));
                let (len, start) = page.part(&self.set.words[index], blocks);
                if len > 0 {
                    return Some(PageSlice { index, len, start, page, set: self.set, blocks });
                }
            }
        }
    }
}

/// Some members of a page, as offsets.
pub(crate) enum Offsets<'a> {
    /// All rows of a range of offsets, which is not empty.
    Range(Range<usize>),
    /// A list of offsets in ascending order, which may be empty.
    Listed(&'a [u16]),
}

/// The members of a slice in one page; there is at least one.
pub(crate) struct PageSlice<'a> {
    pub(crate) index: usize,
    /// The number of members.
    pub(crate) len: usize,
    /// The first member, if there is no gap between the members, as in most pages.
    start: Option<usize>,
    page: &'a SetPage,
    set: &'a SparseSet,
    blocks: (usize, usize),
}

impl<'a> PageSlice<'a> {
    /// The members, as ascending offsets in the page.
    #[inline]
    pub(crate) fn offsets(&self) -> &'a [u16] {
        match self.start {
            Some(start) => &ALL[start..start + self.len],
            None => self.page.list(&self.set.words[self.index], self.blocks.0, self.len),
        }
    }

    /// Calls `f` with each offset, in order.
    #[inline(always)]
    pub(crate) fn for_each(&self, mut f: impl FnMut(usize)) {
        let mut parts = self.parts(true);
        while let Some(part) = parts.next() {
            let (start, rows, len) = match part {
                Offsets::Range(rows) => (Some(rows.start), [].as_slice(), rows.len()),
                Offsets::Listed(rows) => (None, rows, rows.len()),
            };
            // One call of `f` for both variants, so that it is inlined however large it is. The
            // compiler makes two loops of small ones.
            let mut position = 0;
            while position < len {
                f(if let Some(start) = start {
                    start + position
                } else {
                    usize::from(rows[position])
                });
                position += 1;
            }
        }
    }

    /// All offsets, in order, as one or more [`Offsets`].
    ///
    /// With `ranges`, members without a gap, in the whole page or else in full blocks, are a range: the
    /// compiler can vectorise a loop over it, and the offsets need not be read. Members of other blocks
    /// are a list. Without `ranges`, all members are one list, which suits bodies too large for two loops.
    #[inline(always)]
    pub(crate) fn parts(&self, ranges: bool) -> Parts<'_> {
        let start = if ranges { self.start } else { None };
        let offsets = if start.is_some() { &[] } else { self.offsets() };
        Parts { page: self, ranges, start, block: self.blocks.0, offsets }
    }

    /// Calls `f` with the first offset and the length of each run of contiguous members, in order.
    #[inline(always)]
    pub(crate) fn for_each_run(&self, mut f: impl FnMut(usize, usize)) {
        let only = self.start.map(|first| (first, self.len));
        let mut run = only.or_else(|| self.run_from(self.blocks.0 * BLOCK_ROWS));
        // One call of `f`, so that it is inlined however large it is.
        while let Some((first, len)) = run {
            f(first, len);
            run = if self.start.is_some() { None } else { self.run_from(first + len) };
        }
    }

    /// The first run from an offset on, as its start and length.
    #[inline(always)]
    fn run_from(&self, from: usize) -> Option<(usize, usize)> {
        let run = next_run(&self.set.words[self.index], from, self.blocks.1)?;
        Some((run.start, run.len()))
    }
}

/// The rest of the members of a page, as [`Offsets`].
pub(crate) struct Parts<'a> {
    page: &'a PageSlice<'a>,
    ranges: bool,
    /// The first member, if there is no gap between the members.
    start: Option<usize>,
    block: usize,
    offsets: &'a [u16],
}

impl<'a> Parts<'a> {
    /// Inlined as the loop over pages is.
    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn next(&mut self) -> Option<Offsets<'a>> {
        let (first, end) = (self.block, self.page.blocks.1);
        if first >= end {
            return None;
        }
        if !self.ranges {
            self.block = end;
            return Some(Offsets::Listed(self.offsets));
        }
        if let Some(start) = self.start {
            self.block = end;
            return Some(Offsets::Range(start..start + self.page.len));
        }
        let counts = &self.page.page.counts;
        let is_full = |block: usize| counts.of(block) == BLOCK_ROWS;
        let full = is_full(first);
        while self.block < end && is_full(self.block) == full {
            self.block += 1;
        }
        let members = counts.sum(first, self.block);
        let these;
        (these, self.offsets) = self.offsets.split_at(members);
        let start = first * BLOCK_ROWS;
        Some(if full { Offsets::Range(start..start + members) } else { Offsets::Listed(these) })
    }
}

/// A part of a [`SparseSet`] between two blocks: the entities of one subtask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slice {
    pub(super) blocks: (usize, usize),
    pub(super) len: usize,
}

impl Slice {
    /// No rows.
    pub(crate) const EMPTY: Self = Self { blocks: (0, 0), len: 0 };

    pub(crate) fn len(self) -> usize {
        self.len
    }

    /// The blocks of the slice: the first, and the one after the last.
    #[inline(always)]
    pub(crate) fn blocks(self) -> (usize, usize) {
        self.blocks
    }

    /// The rows between the first and the last member; there may be more, which belong to no other slice.
    pub(crate) fn rows(self) -> Range<usize> {
        self.blocks.0 * BLOCK_ROWS..self.blocks.1 * BLOCK_ROWS
    }
}
