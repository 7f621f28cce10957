//! *Sparse integer sets*: which rows a system is subscribed to (thesis, 14.1).
//!
//! The set has the thesis's two sides. The *sparse* side answers `contains` in O(1) with a bit per
//! row. The *dense* side lists the members for iteration. Unlike in the thesis, the dense side is
//! always ascending when it is read: iteration in shuffled order is up to 60 × slower once the
//! components exceed the cache, and results must not depend on the past.
//!
//! Both sides are stored per page of 4 096 rows. A change updates the sparse side and marks the
//! page and its block as stale, in O(1). [`SparseSet::restore`] then counts the members of stale blocks, and
//! notes the first member and the last one. Members without a gap between them are a part of one list that all pages share.
//! A page with gaps gets a list of its own, of 8 KB, when a loop first asks for it. From then on it is
//! kept up to date: entries between stale blocks move, and those of stale blocks are
//! computed from their bits. So sorting costs time only for changed pages, and memory only where loops have met gaps.

mod list;
mod page;
mod slice;

use page::SetPage;
pub(crate) use slice::{Offsets, Pages, Slice};

use core::ops::Range;

use crate::parallel::{Workers, fork_chunks_of_both};
use crate::rows::words::Members;
use crate::rows::words::{page_words, word_of};
use crate::rows::{
    BLOCKS_PER_PAGE, Blocks, PAGE_ROWS, PageWords, Presence, Words, bits, is_member,
};

/// Pages that one thread updates at a time.
const PAGES_AT_ONCE: usize = 4;

/// A set of rows in ascending order.
#[derive(Debug, Default)]
pub(crate) struct SparseSet {
    /// The sparse side.
    words: Vec<Words>,
    /// The dense side of each page: `None` if it has never had members.
    pages: Vec<Option<Box<SetPage>>>,
    /// `starts[p]` members lie in pages before `p`. It has one entry more than there are pages.
    starts: Vec<usize>,
    /// Pages whose dense side is out of date.
    stale: Vec<u32>,
}

impl SparseSet {
    /// The members, for look-ups; `used` are the rows in use, which contain them.
    #[inline]
    pub(crate) fn members(&self, used: &Presence) -> Members<'_> {
        Members::new(&self.words, self.stale.is_empty() && used.has(self.len()))
    }

    /// Whether `row` is a member. It may be any number. O(1).
    #[inline(always)]
    pub(crate) fn contains(&self, row: usize) -> bool {
        is_member(&self.words, row)
    }

    /// The members among the 64 rows of `block`, as a mask.
    #[inline]
    pub(crate) fn block(&self, block: usize) -> u64 {
        word_of(&self.words, block)
    }

    /// The number of blocks of the pages. Later blocks have no members.
    pub(crate) fn block_count(&self) -> usize {
        self.pages.len() * BLOCKS_PER_PAGE
    }

    /// The number of members at the last [`restore`](Self::restore).
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.starts.last().copied().unwrap_or(0)
    }

    /// Makes `members` the members among the 64 rows of `block`. Returns whether that is a change.
    /// O(1).
    #[inline]
    pub(crate) fn set_block(&mut self, block: usize, members: u64) -> bool {
        let index = block / BLOCKS_PER_PAGE;
        if self.pages.len() <= index {
            if members == 0 {
                return false;
            }
            self.reserve(index + 1);
        }
        let words = &mut self.words[index];
        if words[block % BLOCKS_PER_PAGE] == members {
            return false;
        }
        words.own()[block % BLOCKS_PER_PAGE] = members;
        let page = self.pages[index].get_or_insert_with(|| Box::new(SetPage::new()));
        if page.stale == 0 {
            self.stale.push(index as u32);
        }
        page.stale |= 1 << (block % BLOCKS_PER_PAGE);
        true
    }

    /// Makes the set span at least `pages` pages.
    fn reserve(&mut self, pages: usize) {
        if self.pages.len() < pages {
            self.pages.resize_with(pages, || None);
            self.words.resize_with(pages, Words::default);
        }
    }

    /// Updates the dense side. O(rows of changed pages + number of pages).
    pub(crate) fn restore(&mut self) {
        if self.stale.is_empty() {
            return;
        }
        for index in self.stale.drain(..) {
            SetPage::restore_stale(&mut self.pages[index as usize], &self.words[index as usize]);
        }
        self.count();
    }

    /// Counts the members before each page.
    fn count(&mut self) {
        self.starts.clear();
        let mut start = 0;
        self.starts.push(0);
        for page in &self.pages {
            start += page.as_ref().map_or(0, |page| page.len());
            self.starts.push(start);
        }
    }

    /// Frees the pages of blocks from `blocks` on, which must not have members. No page may be
    /// stale.
    pub(crate) fn truncate(&mut self, blocks: usize) {
        debug_assert!(self.stale.is_empty(), "a stale page would be forgotten");
        self.pages.truncate(blocks.div_ceil(BLOCKS_PER_PAGE));
        self.words.truncate(self.pages.len());
        self.count();
    }

    /// Frees a page, which must not have members. No page may be stale.
    pub(crate) fn free_page(&mut self, page: usize) {
        if let Some(place) = self.pages.get_mut(page) {
            *place = None;
            self.words[page] = Words::default();
        }
    }

    /// The members of a page, a word for each block.
    pub(crate) fn page_words(&self, page: usize) -> &PageWords {
        page_words(&self.words, page)
    }

    /// Makes `members` the members of the blocks of a page that are in the mask. O(blocks of a page).
    pub(crate) fn set_page(&mut self, index: usize, blocks: u64, members: &PageWords) {
        if self.pages.len() <= index {
            if bits(blocks).all(|block| members[block] == 0) {
                return;
            }
            self.reserve(index + 1);
        }
        let page = &mut self.pages[index];
        let was_stale = page.as_ref().is_some_and(|page| page.stale != 0);
        if SetPage::set(page, &mut self.words[index], blocks, members) && !was_stale {
            self.stale.push(index as u32);
        }
    }

    /// Makes `members(page, blocks, before)` the members of the blocks in the mask `changed(page)`, for each of the first `pages`
    /// pages, and updates the dense side. Pages are processed in parallel. O(number of pages + rows of changed pages).
    pub(crate) fn update_pages(
        &mut self,
        workers: &Workers,
        pages: usize,
        changed: impl Fn(usize) -> u64 + Sync,
        members: impl Fn(usize, u64, &PageWords) -> PageWords + Sync,
    ) {
        self.restore();
        self.reserve(pages);
        let both = (&mut self.pages[..], &mut self.words[..]);
        fork_chunks_of_both(workers, both, PAGES_AT_ONCE, &|first, pages, words| {
            for ((page, words), index) in pages.iter_mut().zip(words).zip(first..) {
                let blocks = changed(index);
                if blocks != 0 {
                    let members = members(index, blocks, words);
                    SetPage::set(page, words, blocks, &members);
                    SetPage::restore_stale(page, words);
                }
            }
        });
        self.count();
    }

    pub(crate) fn whole(&self) -> Slice {
        Slice { blocks: (0, self.pages.len() * BLOCKS_PER_PAGE), len: self.len() }
    }

    /// The members as a range of rows, if there is no row between them that is none. O(log pages).
    pub(crate) fn as_range(&self) -> Option<Range<usize>> {
        let len = self.len();
        if len == 0 {
            return Some(0..0);
        }
        let row = |page: usize, offset: fn(&SetPage) -> u16| {
            let offset = offset(self.pages[page].as_deref()?);
            Some(page * PAGE_ROWS + usize::from(offset))
        };
        // The pages of the first member and of the last one.
        let page = |count| self.starts.partition_point(|&start| start < count) - 1;
        let first = row(page(1), |page| page.first)?;
        let last = row(page(len), |page| page.last)?;
        (last - first < len).then_some(first..last + 1)
    }

    /// The `i`-th of `n` slices of about the same size. The `n` slices follow one another, cover
    /// the set, and are cut between blocks. O(log pages).
    pub(crate) fn slice(&self, i: usize, n: usize) -> Slice {
        self.between(self.len() * i / n, (i + 1 < n).then(|| self.len() * (i + 1) / n))
    }

    /// The slice from the first block boundary with at least `from` members before it to that with `to`, or to the end.
    /// O(log pages).
    pub(crate) fn between(&self, from: usize, to: Option<usize>) -> Slice {
        let (start, before) = self.cut(from);
        let (end, through) = match to {
            None => (self.pages.len() * BLOCKS_PER_PAGE, self.len()),
            Some(to) => self.cut(to),
        };
        Slice { blocks: (start, end), len: through - before }
    }

    /// The first block boundary with at least `count` members before it, and how many those are.
    fn cut(&self, count: usize) -> (usize, usize) {
        if count == 0 {
            return (0, 0);
        }
        // The page of the `count`-th member.
        let index = self.starts.partition_point(|&start| start < count) - 1;
        let mut members = self.starts[index];
        let mut block = index * BLOCKS_PER_PAGE;
        if let Some(page) = &self.pages[index] {
            let mut at = 0;
            while members < count && at < BLOCKS_PER_PAGE {
                members += page.counts.of(at);
                at += 1;
            }
            block += at;
        }
        (block, members)
    }

    /// The rows of the pages from that of the first member of a slice to that of its last one. O(pages without members).
    pub(crate) fn rows_of(&self, slice: Slice) -> Range<usize> {
        let (start, end) = slice.blocks();
        let mut first = start / BLOCKS_PER_PAGE;
        let mut end = end.div_ceil(BLOCKS_PER_PAGE).min(self.starts.len().saturating_sub(1));
        let ends = (self.starts.get(first), self.starts.get(end));
        let (Some(before), Some(through)) = ends else { return 0..0 };
        if before == through {
            return 0..0;
        }
        while self.starts[first + 1] == *before {
            first += 1;
        }
        while self.starts[end - 1] == *through {
            end -= 1;
        }
        first * PAGE_ROWS..end * PAGE_ROWS
    }

    /// The parts of the set before and after a slice.
    pub(crate) fn around(&self, slice: Slice) -> (Slice, Slice) {
        let (start, end) = slice.blocks;
        let before = Slice { blocks: (0, start), len: 0 };
        let after = Slice { blocks: (end, (self.pages.len() * BLOCKS_PER_PAGE).max(end)), len: 0 };
        let count = |s| self.pages(s).map(|page| page.len).sum();
        (Slice { len: count(before), ..before }, Slice { len: count(after), ..after })
    }

    /// The number of members in these blocks, which are within the pages, at the last [`restore`](Self::restore). O(1).
    pub(crate) fn count_in(&self, (start, end): (usize, usize)) -> usize {
        self.members_before(end) - self.members_before(start)
    }

    fn members_before(&self, block: usize) -> usize {
        let page = block / BLOCKS_PER_PAGE;
        let before = self.starts.get(page).copied().unwrap_or(0);
        let within = self.pages.get(page).and_then(|page| page.as_deref());
        before + within.map_or(0, |page| page.rank(block % BLOCKS_PER_PAGE))
    }

    #[inline]
    pub(crate) fn pages(&self, slice: Slice) -> Pages<'_> {
        self.pages_of(slice.blocks)
    }

    /// The members in these blocks, page by page.
    #[inline]
    pub(crate) fn pages_of(&self, blocks: (usize, usize)) -> Pages<'_> {
        debug_assert!(self.stale.is_empty(), "members have not been counted");
        Pages::new(self, blocks)
    }
}

impl Blocks for &SparseSet {
    #[inline(always)]
    fn word(self, block: usize) -> u64 {
        self.block(block)
    }

    #[inline(always)]
    fn members_of_page(self, page: usize) -> Option<usize> {
        Some(self.starts.get(page + 1)? - self.starts[page])
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use crate::parallel::Threads;
    use crate::rows::BLOCK_ROWS;

    fn rows(set: &SparseSet, slice: Slice) -> Vec<usize> {
        let mut rows = Vec::new();
        for page in set.pages(slice) {
            let before = rows.len();
            page.for_each(|offset| rows.push(page.index * PAGE_ROWS + offset));
            let mut parts = page.parts(false);
            let Some(Offsets::Listed(offsets)) = parts.next() else { panic!("a list is expected") };
            assert!(parts.next().is_none());
            let listed = offsets.iter().map(|&offset| page.index * PAGE_ROWS + usize::from(offset));
            assert!(listed.eq(rows[before..].iter().copied()));
            let mut in_runs = Vec::new();
            page.for_each_run(|first, len| {
                let first = page.index * PAGE_ROWS + first;
                assert!(len > 0 && in_runs.last().is_none_or(|&last| last + 1 < first));
                in_runs.extend(first..first + len);
            });
            assert_eq!(in_runs, rows[before..]);
        }
        // Pages before the first member, and behind the last one, are not among those of the slice's rows.
        let pages = set.rows_of(slice);
        let (first, last) = (rows.first(), rows.last());
        assert!(last.is_none_or(|last| pages.end == (last / PAGE_ROWS + 1) * PAGE_ROWS));
        assert!(first.is_none_or(|first| {
            let of_slice = slice.blocks().0 / BLOCKS_PER_PAGE..first / PAGE_ROWS + 1;
            of_slice.contains(&(pages.start / PAGE_ROWS))
        }));
        rows
    }

    /// Words that are often full or empty, as those of real sets are.
    fn word() -> impl Strategy<Value = u64> {
        prop_oneof![Just(0), Just(u64::MAX), any::<u64>(), any::<u64>().prop_map(|w| w & w << 7)]
    }

    #[test]
    fn members_without_a_gap_are_a_range() {
        let mut set = SparseSet::default();
        assert_eq!(set.as_range(), Some(0..0));
        // The end of one page, all of the next, and the start of a third.
        for (block, members) in [(63, 1 << 63), (128, 0b111)] {
            set.set_block(block, members);
        }
        set.restore();
        assert_eq!(set.as_range(), None);
        for block in 64..128 {
            set.set_block(block, u64::MAX);
        }
        set.restore();
        assert_eq!(set.as_range(), Some(PAGE_ROWS - 1..2 * PAGE_ROWS + 3));
        set.set_block(128, 0b101);
        set.restore();
        assert_eq!(set.as_range(), None);
        for block in 0..129 {
            set.set_block(block, u64::from(block == 70) << 5);
        }
        set.restore();
        assert_eq!(set.as_range(), Some(70 * BLOCK_ROWS + 5..70 * BLOCK_ROWS + 6));
    }

    #[test]
    fn only_members_with_gaps_have_a_list() {
        let mut set = SparseSet::default();
        let offsets = |set: &SparseSet, blocks| {
            let page = set.pages_of(blocks).next().expect("there are members");
            (page.offsets().to_vec(), list::ALL.as_ptr_range().contains(&page.offsets().as_ptr()))
        };
        set.set_block(1, !0 << 3);
        set.set_block(2, !0);
        set.restore();
        assert_eq!(offsets(&set, (0, 64)), ((67..192).collect(), true));
        assert_eq!(offsets(&set, (0, 2)), ((67..128).collect(), true));
        // There is a gap before the third block, and the first two still have none.
        set.set_block(2, !1);
        set.restore();
        assert_eq!(offsets(&set, (0, 2)), ((67..128).collect(), true));
        assert_eq!(offsets(&set, (0, 3)), ((67..128).chain(129..192).collect(), false));
        // The list is up to date after a time in which no loop needs it.
        set.set_block(2, !0);
        set.restore();
        assert_eq!(offsets(&set, (1, 3)), ((67..192).collect(), true));
        set.set_block(0, 1);
        set.restore();
        assert_eq!(offsets(&set, (0, 3)), ([0].into_iter().chain(67..192).collect(), false));
    }

    proptest! {
        #[test]
        fn behaves_like_an_ordered_set(
            rounds in proptest::collection::vec(
                proptest::collection::vec((0..200_usize, 1..20_usize, word()), 0..12),
                1..5,
            ),
            n in 1..9_usize,
        ) {
            let [mut set, mut other, mut paged] = [(); 3].map(|()| SparseSet::default());
            let mut model = BTreeSet::new();
            for changes in rounds {
                for (first, count, members) in changes {
                    for block in first..first + count {
                        let old: u64 = (0..64)
                            .filter(|bit| model.contains(&(block * 64 + bit)))
                            .fold(0, |word, bit| word | 1 << bit);
                        prop_assert_eq!(set.set_block(block, members), old != members);
                        for bit in 0..64 {
                            if members >> bit & 1 == 1 {
                                model.insert(block * 64 + bit);
                            } else {
                                model.remove(&(block * 64 + bit));
                            }
                        }
                    }
                }
                set.restore();
                let expected: Vec<usize> = model.iter().copied().collect();
                Threads::Global.run(|workers| {
                    let changed = |page| if page % 3 == 2 { u64::MAX >> 9 } else { u64::MAX };
                    other.update_pages(workers, 5, changed, |page, _, _| *set.page_words(page));
                    other.update_pages(workers, 4, |_| !0, |page, _, _| *set.page_words(page));
                });
                // By pages, of which the last ones may have no members. Each is done in two parts, the second with wrong words outside the
                // mask.
                for page in 0..5 {
                    paged.set_page(page, u64::MAX >> 9, set.page_words(page));
                }
                paged.restore();
                for page in (0..5).rev() {
                    let mut members = *set.page_words(page);
                    members[..9].fill(u64::MAX);
                    paged.set_page(page, !0 << 9, &members);
                }
                paged.restore();
                for set in [&other, &paged] {
                    prop_assert_eq!(&rows(set, set.whole()), &expected);
                    prop_assert_eq!(set.count_in((0, set.block_count())), expected.len());
                }
                prop_assert_eq!(other.len(), set.len());
                prop_assert_eq!(set.len(), expected.len());
                let all = expected.first().map_or(0..0, |&first| first..expected[expected.len() - 1] + 1);
                let without_gap = all.len() == expected.len();
                prop_assert_eq!(set.as_range(), without_gap.then_some(all));
                prop_assert_eq!(&rows(&set, set.whole()), &expected);
                for row in 0..220 * 64 {
                    prop_assert_eq!(set.contains(row), model.contains(&row));
                }
                // The slices follow one another, cover the set, and are about as large.
                let mut all = Vec::new();
                for i in 0..n {
                    let slice = set.slice(i, n);
                    let members = rows(&set, slice);
                    prop_assert_eq!(slice.len(), members.len());
                prop_assert_eq!(set.count_in(slice.blocks()), members.len());
                    prop_assert!(members.len() <= expected.len() / n + 1 + BLOCK_ROWS);
                    all.extend(members);
                }
                prop_assert_eq!(&all, &expected);
            }
        }
    }
}
