//! One page of a sparse integer set.

use super::list::List;
use crate::rows::once_box::OnceBox;
use crate::rows::{BLOCK_ROWS, BLOCKS_PER_PAGE, PageWords, Words, bits};

/// The members among the rows of one page, on the dense side. (The sparse side of all pages is one
/// list.)
#[derive(Debug)]
pub(super) struct SetPage {
    pub(super) counts: Counts,
    /// The first member and the last one; 0 if there is none.
    pub(super) first: u16,
    pub(super) last: u16,
    /// A mask of the blocks that have changed since the last `restore`.
    pub(super) stale: u64,
    /// The members as a list, from the first loop on that needs it.
    list: OnceBox<List>,
}

impl SetPage {
    /// No members.
    pub(super) const fn new() -> Self {
        Self { counts: Counts::NONE, first: 0, last: 0, stale: 0, list: OnceBox::new() }
    }

    /// Makes `members` the members of each block in the mask. The page is created if needed. Returns whether that changes a block.
    pub(super) fn set(
        page: &mut Option<Box<Self>>,
        words: &mut Words,
        blocks: u64,
        members: &PageWords,
    ) -> bool {
        // Often rows are freed and filled again, and nothing has changed.
        if **words == *members {
            return false;
        }
        let differs = |&block: &usize| words[block] != members[block];
        let changed = bits(blocks).filter(differs).fold(0, |changed, block| changed | 1 << block);
        if changed == 0 {
            return false;
        }
        let own = words.own();
        bits(changed).for_each(|block| own[block] = members[block]);
        page.get_or_insert_with(|| Box::new(Self::new())).stale |= changed;
        true
    }

    /// Updates the dense side, if it is out of date.
    pub(super) fn restore_stale(page: &mut Option<Box<Self>>, words: &PageWords) {
        if let Some(page) = page.as_deref_mut().filter(|page| page.stale != 0) {
            page.restore(words);
        }
    }

    /// Updates the dense side. O(changed blocks), and if there is a list, O(rows from the first of them on).
    fn restore(&mut self, words: &PageWords) {
        match self.list.get_mut() {
            Some(list) => list.restore(self.stale, words, &mut self.counts),
            None => bits(self.stale).for_each(|block| self.counts.count(block, words[block])),
        }
        self.stale = 0;
        let (first, last) = ends(words, self.counts.occupied).unwrap_or_default();
        (self.first, self.last) = (first as u16, last as u16);
    }

    /// The number of members.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.counts.all
    }

    /// The number of members in blocks before `block`.
    pub(super) fn rank(&self, block: usize) -> usize {
        if block == BLOCKS_PER_PAGE { self.len() } else { self.counts.sum(0, block) }
    }

    /// The first member, if there are members, and no gap between them.
    pub(super) fn without_gap(&self) -> Option<usize> {
        start_of(self.len(), (usize::from(self.first), usize::from(self.last)))
    }

    /// The number of members in the blocks from `start` up to `end`, and the first one, if there is no gap between them.
    #[inline(never)]
    pub(super) fn part(
        &self,
        words: &PageWords,
        (start, end): (usize, usize),
    ) -> (usize, Option<usize>) {
        let len = self.counts.sum(start, end);
        let occupied = self.counts.occupied & mask(start, end);
        (len, ends(words, occupied).and_then(|ends| start_of(len, ends)))
    }

    /// The first `len` members from a block on, as ascending offsets.
    #[inline(never)]
    pub(super) fn list(&self, words: &PageWords, block: usize, len: usize) -> &[u16] {
        let list = self.list.get_or_make(|| List::new(words, &self.counts));
        &list.offsets()[self.rank(block)..][..len]
    }
}

/// The first of `len` members, if there is no gap between the first and the last one.
fn start_of(len: usize, (first, last): (usize, usize)) -> Option<usize> {
    (last - first < len).then_some(first)
}

/// The first member of these blocks and the last one, as offsets. Each of the blocks has members.
fn ends(words: &PageWords, blocks: u64) -> Option<(usize, usize)> {
    let last = blocks.checked_ilog2()? as usize;
    let first = blocks.trailing_zeros() as usize;
    let first = first * BLOCK_ROWS + words[first].trailing_zeros() as usize;
    Some((first, last * BLOCK_ROWS + words[last].ilog2() as usize))
}

/// A mask of the blocks from `start` up to `end`, which are in one page.
fn mask(start: usize, end: usize) -> u64 {
    let up_to = |block: usize| 1_u64.checked_shl(block as u32).unwrap_or(0).wrapping_sub(1);
    up_to(end) & !up_to(start)
}

/// The numbers of members of a page.
#[derive(Debug)]
pub(super) struct Counts {
    /// For each block.
    of: [u8; BLOCKS_PER_PAGE],
    /// A mask of the blocks that have members.
    pub(super) occupied: u64,
    all: usize,
}

impl Counts {
    const NONE: Self = Self { of: [0; BLOCKS_PER_PAGE], occupied: 0, all: 0 };

    pub(super) fn of(&self, block: usize) -> usize {
        usize::from(self.of[block])
    }

    /// Counts the members of a block again.
    pub(super) fn count(&mut self, block: usize, members: u64) {
        let count = members.count_ones() as u8;
        let before = core::mem::replace(&mut self.of[block], count);
        self.all = self.all + usize::from(count) - usize::from(before);
        let bit = 1 << block;
        self.occupied = if count == 0 { self.occupied & !bit } else { self.occupied | bit };
    }

    /// The number of members in the blocks from `start` up to `end`.
    pub(super) fn sum(&self, start: usize, end: usize) -> usize {
        self.of[start..end].iter().map(|&count| usize::from(count)).sum()
    }
}
