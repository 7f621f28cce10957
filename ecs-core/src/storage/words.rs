//! The words of one page of a set of rows.

use core::fmt;
use core::ops::Deref;
use core::ptr::NonNull;

use super::{BLOCK_ROWS, BLOCKS_PER_PAGE, PAGE_ROWS};

/// The members among the rows of one page: a bit each, in a word per block.
pub(crate) type PageWords = [u64; BLOCKS_PER_PAGE];

/// What pages share in which nobody has ever been.
static NOBODY: PageWords = [0; BLOCKS_PER_PAGE];

/// The words of one page, in memory of its own as soon as somebody has been in it.
///
/// Whoever reads need not ask whether they are there: until then they are those that all pages share in which
/// nobody is.
pub(crate) struct Words(NonNull<PageWords>);

// SAFETY: a page owns its words, or shares words that nobody writes.
unsafe impl Send for Words {}
// SAFETY: as above; through `&Words` they are only read.
unsafe impl Sync for Words {}

impl Default for Words {
    #[inline]
    fn default() -> Self {
        Self(NonNull::from(&NOBODY))
    }
}

impl Words {
    /// Whether the page has words of its own.
    #[inline]
    pub(crate) fn are_own(&self) -> bool {
        self.0 != NonNull::from(&NOBODY)
    }

    /// The words, to write: in memory of its own from here on.
    #[inline(always)]
    pub(crate) fn own(&mut self) -> &mut PageWords {
        if !self.are_own() {
            self.make();
        }
        // SAFETY: these are no shared words, so `make` has allocated them, for this page alone; it is borrowed to
        // write.
        unsafe { self.0.as_mut() }
    }

    #[cold]
    fn make(&mut self) {
        self.0 = NonNull::from(Box::leak(Box::new([0; BLOCKS_PER_PAGE])));
    }
}

impl Deref for Words {
    type Target = PageWords;

    #[inline(always)]
    fn deref(&self) -> &PageWords {
        // SAFETY: the words are shared ones, which stay for ever and are never written, or the page's own, which
        // are written through `&mut Words` only, and stay as long as it does.
        unsafe { self.0.as_ref() }
    }
}

impl Drop for Words {
    fn drop(&mut self) {
        if self.are_own() {
            // SAFETY: `make` has taken the pointer out of a box, and nobody else has it.
            drop(unsafe { Box::from_raw(self.0.as_ptr()) });
        }
    }
}

impl fmt::Debug for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

/// Whether the row is in the set that these pages are of; in others nobody is. `row` may be any number.
#[inline(always)]
pub(crate) fn is_member(pages: &[Words], row: usize) -> bool {
    let Some(words) = pages.get(row / PAGE_ROWS) else { return false };
    words[row % PAGE_ROWS / BLOCK_ROWS] & 1 << (row % BLOCK_ROWS) != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_words_of_its_own_when_they_are_written() {
        let mut pages = [Words::default(), Words::default()];
        assert!(!pages[0].are_own() && !pages[1].are_own());
        assert_eq!(*pages[0], [0; BLOCKS_PER_PAGE]);
        pages[1].own()[2] = 1 << 5;
        assert!(!pages[0].are_own() && pages[1].are_own());
        // What the others share is as it was.
        assert_eq!(*pages[0], [0; BLOCKS_PER_PAGE]);
        assert_eq!(*Words::default(), [0; BLOCKS_PER_PAGE]);
        let member = PAGE_ROWS + 2 * BLOCK_ROWS + 5;
        for row in 0..3 * PAGE_ROWS {
            assert_eq!(is_member(&pages, row), row == member);
        }
        assert!(!is_member(&pages, 1 << 31) && !is_member(&pages, usize::MAX));
        assert_eq!(pages[1].own()[2], 1 << 5);
    }
}
