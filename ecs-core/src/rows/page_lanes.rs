//! The lanes of a page, as references that mark its rows have them.

use core::marker::PhantomData;
use core::ops::Range;
use core::slice;
use core::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use super::BLOCK_ROWS;
use super::lanes::{LaneCount, set};

/// The rows of which the bits are in one byte of a word.
const BYTE_ROWS: usize = 8;
/// The bytes of a word.
const WORD_BYTES: usize = BLOCK_ROWS / BYTE_ROWS;

/// The words of the lanes of one component, from the first block of a page on.
///
/// It stays in its thread, and so does what has it: the words of a block belong to the thread that has the block, since
/// marks are set by a load and a store.
///
/// A single row is marked in a byte of its word. Marks of one word wait for each other, as each loads what the one before has
/// stored. Those of the next byte need not, so a loop over rows goes on with them meanwhile.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PageLanes<'a> {
    words: &'a [AtomicU64],
    stays: PhantomData<*const ()>,
}

impl<'a> PageLanes<'a> {
    /// The lanes with these words, from the first block on.
    #[inline(always)]
    pub(crate) const fn new(words: &'a [AtomicU64]) -> Self {
        Self { words, stays: PhantomData }
    }

    /// The lanes from a block on.
    #[inline(always)]
    pub(crate) fn at_block(self, block: usize, count: LaneCount) -> Self {
        Self::new(self.words.get(block * count.all..).unwrap_or_default())
    }

    /// Marks a row as changed.
    ///
    /// # Panics
    /// If there is no room for its block.
    #[inline(always)]
    pub(crate) fn mark(self, row: usize, count: LaneCount) {
        let bytes = bytes(self.words);
        let first = row / BLOCK_ROWS * count.all * WORD_BYTES;
        for lane in 0..count.changed {
            let byte = &bytes[first + lane * WORD_BYTES + byte_of(row)];
            // A rotation needs no mask of the row, as a shift does.
            byte.store(byte.load(Relaxed) | 1_u8.rotate_left(row as u32), Relaxed);
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
fn bytes(words: &[AtomicU64]) -> &[AtomicU8] {
    let count = words.len() * WORD_BYTES;
    // SAFETY: the words are as many bytes side by side, all of them may be changed through a shared reference, and bytes need no
    // alignment. A byte is not accessed while another thread accesses its word: only `PageLanes` comes here, and stays in its
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
            let lanes = PageLanes::new(&words);
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
    fn lanes_begin_with_the_block() {
        let count = LaneCount { changed: 1, all: 2 };
        let words: Vec<_> = (0..4).map(|_| AtomicU64::new(0)).collect();
        PageLanes::new(&words).at_block(1, count).mark(9, count);
        assert_eq!(
            words.iter().map(|word| word.load(Relaxed)).collect::<Vec<_>>(),
            [0, 0, 1 << 9, 0]
        );
    }

    #[test]
    #[should_panic(expected = "out of bounds")]
    fn a_row_without_a_word_panics() {
        let count = LaneCount { changed: 1, all: 1 };
        PageLanes::new(&[]).at_block(4, count).mark(0, count);
    }
}
