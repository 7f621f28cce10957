//! The words of one page of a set of rows.

use core::fmt;
use core::ops::{Deref, Range};
use core::ptr::NonNull;

use super::{BLOCK_ROWS, BLOCKS_PER_PAGE, PAGE_ROWS};

/// The members among the rows of one page: a bit per row, a word per block.
pub(crate) type PageWords = [u64; BLOCKS_PER_PAGE];

/// The words of one page, and which of its blocks have changed since the last refresh.
#[repr(C)]
pub(super) struct Page {
    pub(super) words: PageWords,
    /// A mask of the changed blocks.
    pub(super) dirty: u64,
    /// How many members the page has got, less those that it has lost, since it became dirty.
    pub(super) gained: i32,
}

impl Page {
    const EMPTY: Self = Self { words: [0; BLOCKS_PER_PAGE], dirty: 0, gained: 0 };
}

/// What pages share that have never had members.
static EMPTY_PAGE: Page = Page::EMPTY;

/// The words of one page. They are allocated when the page gets its first member.
///
/// Until then they are the shared, empty words, so reads need no check.
pub(crate) struct Words(NonNull<Page>);

// SAFETY: a page owns its words, or shares words that are never written.
unsafe impl Send for Words {}
// SAFETY: as above; `&Words` only allows reads.
unsafe impl Sync for Words {}

impl Default for Words {
    #[inline]
    fn default() -> Self {
        Self(NonNull::from(&EMPTY_PAGE))
    }
}

impl Words {
    /// Whether the page has words of its own.
    #[inline]
    pub(crate) fn are_own(&self) -> bool {
        self.0 != NonNull::from(&EMPTY_PAGE)
    }

    /// The words, mutable. They are allocated if needed.
    #[inline(always)]
    pub(crate) fn own(&mut self) -> &mut PageWords {
        &mut self.own_page().words
    }

    /// The words and the mask of changed blocks, mutable. They are allocated if needed.
    #[inline(always)]
    pub(super) fn own_page(&mut self) -> &mut Page {
        if !self.are_own() {
            self.make();
        }
        // SAFETY: the page is not the shared one, so `make` has allocated it for these words
        // only. `&mut self` makes the access exclusive.
        unsafe { self.0.as_mut() }
    }

    /// The page, mutable, if the block is marked as changed.
    #[inline(always)]
    pub(super) fn page_if_dirty(&mut self, block: usize) -> Option<&mut Page> {
        if self.dirty() >> block & 1 == 0 {
            return None;
        }
        // SAFETY: the page is not the shared one, in which no block is marked. So it belongs to these words only.
        // `&mut self` makes the access exclusive.
        Some(unsafe { self.0.as_mut() })
    }

    #[cold]
    fn make(&mut self) {
        self.0 = NonNull::from(Box::leak(Box::new(Page::EMPTY)));
    }

    /// A mask of the blocks that have changed.
    #[inline]
    pub(super) fn dirty(&self) -> u64 {
        // SAFETY: as in `deref`.
        unsafe { self.0.as_ref() }.dirty
    }
}

impl Deref for Words {
    type Target = PageWords;

    #[inline(always)]
    fn deref(&self) -> &PageWords {
        // SAFETY: the page is either the shared one, which is static and never written, or these words'
        // own. That is written through `&mut Words` only, and lives as long as `self`.
        &unsafe { self.0.as_ref() }.words
    }
}

impl Drop for Words {
    fn drop(&mut self) {
        if self.are_own() {
            // SAFETY: `make` has taken the pointer from a box, and no copy of it exists.
            drop(unsafe { Box::from_raw(self.0.as_ptr()) });
        }
    }
}

impl fmt::Debug for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

/// Tells which rows are members of a set.
///
/// `Copy`, so that a loop can hold it in a local variable: there it need not be reloaded after each
/// store.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Members<'a> {
    pages: &'a [Words],
    are_all: bool,
}

impl<'a> Members<'a> {
    /// The members of the set with these pages. `are_all` says that they are all rows in use.
    #[inline(always)]
    pub(super) fn new(pages: &'a [Words], are_all: bool) -> Self {
        Self { pages, are_all }
    }

    /// Whether the row is a member. `row` may be any number. O(1).
    #[inline(always)]
    pub(crate) fn contain(self, row: usize) -> bool {
        is_member(self.pages, row)
    }

    /// Whether the row, which is in use, is a member. O(1), without a look at the set if all rows in use are members.
    #[inline(always)]
    pub(crate) fn contain_used(self, row: usize) -> bool {
        debug_assert!(!self.are_all || is_member(self.pages, row), "a row in use without a bit");
        self.are_all || is_member(self.pages, row)
    }
}

/// Whether the row is in the set with these pages. `row` may be any number; beyond the pages there
/// are no members.
#[inline(always)]
pub(crate) fn is_member(pages: &[Words], row: usize) -> bool {
    let Some(words) = pages.get(row / PAGE_ROWS) else { return false };
    words[row % PAGE_ROWS / BLOCK_ROWS] & 1 << (row % BLOCK_ROWS) != 0
}

/// The members of a page of the set with these pages, a word for each block.
#[inline]
pub(super) fn page_words(pages: &[Words], page: usize) -> &PageWords {
    pages.get(page).map_or(&EMPTY_PAGE.words, |words| words)
}

/// The members of a block of the set with these pages, as a mask.
#[inline]
pub(crate) fn word_of(pages: &[Words], block: usize) -> u64 {
    pages.get(block / BLOCKS_PER_PAGE).map_or(0, |words| words[block % BLOCKS_PER_PAGE])
}

/// The positions of the ones in a word, ascending.
#[inline]
pub(crate) fn bits(mut word: u64) -> impl Iterator<Item = usize> + Clone {
    core::iter::from_fn(move || {
        (word != 0).then(|| {
            let bit = word.trailing_zeros() as usize;
            word &= word - 1;
            bit
        })
    })
}

/// The rows of a block that are in a mask, ascending.
#[inline]
pub(crate) fn rows_of(block: usize, rows: u64) -> impl Iterator<Item = usize> + Clone {
    bits(rows).map(move |bit| block * BLOCK_ROWS + bit)
}

/// The next run of members among the words of a page, from an offset on, in blocks before `end`.
#[inline(always)]
pub(crate) fn next_run(words: &PageWords, from: usize, end: usize) -> Option<Range<usize>> {
    let first = find(words, 0, from, end)?;
    Some(first..find(words, u64::MAX, first, end).unwrap_or(end * BLOCK_ROWS))
}

/// The first offset from `from` on, in blocks before `end`, whose bit is set once `flip` is
/// applied to its word.
#[inline]
fn find(words: &PageWords, flip: u64, from: usize, end: usize) -> Option<usize> {
    let mut mask = u64::MAX << (from % BLOCK_ROWS);
    (from / BLOCK_ROWS..end).find_map(|block| {
        let found = (words[block] ^ flip) & core::mem::replace(&mut mask, u64::MAX);
        (found != 0).then(|| block * BLOCK_ROWS + found.trailing_zeros() as usize)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_page_has_words_of_its_own_when_they_are_written() {
        let mut pages = [Words::default(), Words::default()];
        assert!(!pages[0].are_own() && !pages[1].are_own());
        assert_eq!(*pages[0], [0; BLOCKS_PER_PAGE]);
        pages[1].own()[2] = 1 << 5;
        assert!(!pages[0].are_own() && pages[1].are_own());
        // The shared words are unchanged.
        assert_eq!(*pages[0], [0; BLOCKS_PER_PAGE]);
        assert_eq!(*Words::default(), [0; BLOCKS_PER_PAGE]);
        let member = PAGE_ROWS + 2 * BLOCK_ROWS + 5;
        for row in 0..3 * PAGE_ROWS {
            assert_eq!(is_member(&pages, row), row == member);
        }
        assert!(!is_member(&pages, 1 << 31) && !is_member(&pages, usize::MAX));
        assert_eq!(pages[1].own()[2], 1 << 5);
    }

    proptest! {
        #[test]
        fn runs_are_all_that_is_in_the_set(
            some in proptest::collection::vec((0..BLOCKS_PER_PAGE, any::<u64>()), 0..9),
            full in proptest::collection::vec(0..BLOCKS_PER_PAGE, 0..40),
        ) {
            let mut words = [0; BLOCKS_PER_PAGE];
            for (block, word) in some.into_iter().chain(full.into_iter().map(|b| (b, u64::MAX))) {
                words[block] = word;
            }
            let mut rows = Vec::new();
            let mut start = 0;
            let mut end = None;
            while let Some(run) = next_run(&words, start, BLOCKS_PER_PAGE) {
                // Runs do not touch: each is as long as possible.
                prop_assert!(!run.is_empty() && end < Some(run.start));
                (start, end) = (run.end, Some(run.end));
                rows.extend(run);
            }
            let member = |row: &usize| words[row / BLOCK_ROWS] >> (row % BLOCK_ROWS) & 1 == 1;
            prop_assert_eq!(&rows, &(0..PAGE_ROWS).filter(member).collect::<Vec<_>>());
            let by_block = words.iter().enumerate().flat_map(|(block, &word)| rows_of(block, word));
            prop_assert!(by_block.eq(rows));
        }
    }
}
