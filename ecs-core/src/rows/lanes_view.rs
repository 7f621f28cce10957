//! A view of a component's lanes, which `Mut` and `MutRun` hold.

use core::marker::PhantomData;
use core::ops::Range;
use core::slice;
use core::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use super::lanes::{LaneCount, set};
use super::{BLOCK_ROWS, BLOCKS_PER_PAGE};

/// The rows of which the bits are in one byte of a word.
const BYTE_ROWS: usize = 8;
/// The bytes of a word.
const WORD_BYTES: usize = BLOCK_ROWS / BYTE_ROWS;
/// The bits of a byte. To load one takes less time than to shift a one.
static BITS: [u8; BYTE_ROWS] = [1, 2, 4, 8, 16, 32, 64, 128];

/// The words of the lanes of one component: all of them, or those of a page.
///
/// A mark is a load and a store, so two threads must not mark rows of one block. A subtask has whole blocks. Within its body, the
/// view and what has it are not `Send`.
///
/// A single row is marked by a load and a store of one byte of its word. In a loop over rows, the load waits for the store of the
/// row before, if that is in the same byte. The processor goes on with the next byte meanwhile.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LanesView<'a> {
    words: &'a [AtomicU64],
    not_send: PhantomData<*const ()>,
}

impl<'a> LanesView<'a> {
    /// All lanes, which have these words.
    #[inline(always)]
    pub(crate) const fn new(words: &'a [AtomicU64]) -> Self {
        Self { words, not_send: PhantomData }
    }

    /// The lanes of a page, all of its words; `None` if no row of the page has had the component.
    #[inline(always)]
    pub(crate) fn of_page(self, page: usize, count: LaneCount) -> Option<Self> {
        let words = BLOCKS_PER_PAGE * count.all;
        Some(Self::new(self.words.get(page * words..)?.get(..words)?))
    }

    /// Lanes without a word.
    #[inline(always)]
    pub(crate) const fn empty() -> Self {
        Self::new(&[])
    }

    /// Marks a row as changed.
    ///
    /// # Panics
    /// If there is no room for its block.
    #[inline(always)]
    pub(crate) fn mark(self, row: usize, count: LaneCount) {
        let bytes = bytes_of(self.words);
        let first = row / BLOCK_ROWS * count.all * WORD_BYTES;
        for lane in 0..count.changed {
            let byte = &bytes[first + lane * WORD_BYTES + byte_of(row)];
            byte.store(byte.load(Relaxed) | BITS[row % BYTE_ROWS], Relaxed);
        }
    }

    /// Marks rows as changed. O(blocks).
    ///
    /// # Panics
    /// If there is no room for their blocks.
    pub(crate) fn mark_all(self, rows: Range<usize>, count: LaneCount) {
        for block in rows.start / BLOCK_ROWS..rows.end.div_ceil(BLOCK_ROWS) {
            let from = rows.start.saturating_sub(block * BLOCK_ROWS);
            let behind = ((block + 1) * BLOCK_ROWS).saturating_sub(rows.end);
            let words = &self.words[block * count.all..][..count.changed];
            set(words, u64::MAX << from & u64::MAX >> behind);
        }
    }
}

/// The byte of a word with the bit of a row.
#[inline(always)]
const fn byte_of(row: usize) -> usize {
    let byte = row % BLOCK_ROWS / BYTE_ROWS;
    if cfg!(target_endian = "big") { WORD_BYTES - 1 - byte } else { byte }
}

/// The bytes of the words.
#[inline(always)]
fn bytes_of(words: &[AtomicU64]) -> &[AtomicU8] {
    let count = words.len() * WORD_BYTES;
    // SAFETY: the words are as many bytes side by side, all of them may be changed through a shared reference, and bytes need no
    // alignment. A byte is not accessed while another thread accesses its word: only `LanesView` comes here, and stays in its
    // thread, which has the block (`docs/soundness.md`).
    unsafe { slice::from_raw_parts(words.as_ptr().cast::<AtomicU8>(), count) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::rows::marked;

    const BLOCKS: usize = 3;

    proptest! {
        #[test]
        fn marks_are_those_of_single_bits(
            singles in prop::collection::vec(0..BLOCKS * BLOCK_ROWS, 0..80),
            runs in prop::collection::vec((0..BLOCKS * BLOCK_ROWS, 0..=BLOCKS * BLOCK_ROWS), 0..4),
            changed in 1..3_usize,
            added in 0..3_usize,
        ) {
            let count = LaneCount { changed, all: changed + added };
            let words: Vec<_> = (0..BLOCKS * count.all).map(|_| AtomicU64::new(0)).collect();
            let lanes = LanesView::new(&words);
            let mut expected = [false; BLOCKS * BLOCK_ROWS];
            for row in singles {
                lanes.mark(row, count);
                expected[row] = true;
            }
            for (start, end) in runs {
                let rows = start.min(end)..end;
                lanes.mark_all(rows.clone(), count);
                expected[rows].fill(true);
            }
            for (row, is_marked) in expected.into_iter().enumerate() {
                for lane in 0..count.all {
                    let word = marked(&words, row / BLOCK_ROWS, lane, count.all);
                    let is_set = word >> (row % BLOCK_ROWS) & 1 == 1;
                    prop_assert_eq!(is_set, is_marked && lane < changed, "row {}, lane {}", row, lane);
                }
            }
        }
    }

    #[test]
    fn rows_of_a_page_are_marked_in_its_words() {
        let count = LaneCount { changed: 1, all: 2 };
        let words: Vec<_> =
            (0..2 * BLOCKS_PER_PAGE * count.all).map(|_| AtomicU64::new(0)).collect();
        LanesView::new(&words).of_page(1, count).unwrap().mark(2 * BLOCK_ROWS + 9, count);
        let expected = (BLOCKS_PER_PAGE + 2) * count.all;
        for (at, word) in words.iter().enumerate() {
            assert_eq!(word.load(Relaxed), if at == expected { 1 << 9 } else { 0 }, "{at}");
        }
    }

    #[test]
    fn a_page_without_words_has_no_lanes() {
        let count = LaneCount { changed: 1, all: 1 };
        let words: Vec<_> = (0..BLOCKS_PER_PAGE).map(|_| AtomicU64::new(0)).collect();
        assert!(LanesView::new(&words).of_page(0, count).is_some());
        assert!(LanesView::new(&words).of_page(1, count).is_none());
        assert!(LanesView::empty().of_page(0, count).is_none());
        assert!(LanesView::empty().of_page(3, LaneCount::NONE).is_some(), "it is not tracked");
    }

    #[test]
    #[should_panic(expected = "out of bounds")]
    fn a_mark_without_a_word_panics() {
        LanesView::empty().mark(0, LaneCount { changed: 1, all: 1 });
    }
}
