//! *Lanes*: which rows of a tracked component have changed, for each system that asks.
//!
//! A lane belongs to one question of one system: what it names in `changed` or in `added`. It has a word per block, a bit per
//! row. A change sets the row's bit in each lane of changes, and in each lane of additions if the row is new. When the
//! system has run, its own rows leave its lane. So each system sees what has changed since it last ran with them.
//!
//! The words of a block lie side by side, so that a writer touches one cache line, however many systems ask:
//!
//! ```text
//!            block 0                     block 1
//! words:   [ changed | changed | added | changed | changed | added | …
//!     for:   system A  system B  system B
//! ```
//!
//! Words are atomic, without operations that read and write: a `Relaxed` load and a `Relaxed` store compile to plain ones, of a
//! word or of a byte of it. No thread writes to a word while another one accesses it: a subtask owns its blocks, a system that marks is
//! ordered with every other that marks or asks (`ecs_rules::tracking`), and what marks is not `Send` ([`LanesView`](super::LanesView)).
//!
//! A bit of a row that does not have the component means nothing. A row that gets it is marked in all lanes, and a row that
//! another one moves to takes over its bits.

use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::{BLOCK_ROWS, BLOCKS_PER_PAGE};

/// The number of lanes of one component.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LaneCount {
    /// The lanes of changes, which are the first ones.
    pub(crate) changed: usize,
    /// All lanes: those of changes, and those of additions.
    pub(crate) all: usize,
}

impl LaneCount {
    /// Those of a component that is not tracked.
    pub(crate) const NONE: Self = Self { changed: 0, all: 0 };

    /// Whether the component is tracked.
    pub(crate) const fn is_tracked(self) -> bool {
        self.all > 0
    }
}

/// The lanes of one component.
#[derive(Debug, Default)]
pub(crate) struct Lanes {
    /// By block, the words of the lanes. Whole pages.
    words: Vec<AtomicU64>,
    count: LaneCount,
}

impl Lanes {
    /// As many lanes as this, without blocks.
    pub(crate) const fn new(count: LaneCount) -> Self {
        Self { words: Vec::new(), count }
    }

    /// Whether there are lanes.
    #[inline(always)]
    pub(crate) fn are_some(&self) -> bool {
        self.count.is_tracked()
    }

    /// The words of all blocks.
    #[inline(always)]
    pub(crate) fn words(&self) -> &[AtomicU64] {
        &self.words
    }

    /// The number of blocks that there are words for.
    fn blocks(&self) -> usize {
        if self.are_some() { self.words.len() / self.count.all } else { 0 }
    }

    /// Makes room for the pages of this many blocks.
    #[inline]
    pub(crate) fn reserve(&mut self, blocks: usize) {
        if self.are_some() && blocks > self.blocks() {
            self.grow(blocks);
        }
    }

    #[cold]
    fn grow(&mut self, blocks: usize) {
        let words = blocks.next_multiple_of(BLOCKS_PER_PAGE) * self.count.all;
        self.words.resize_with(words, AtomicU64::default);
    }

    /// Frees the words of the blocks from `blocks` on, in which no row is in use.
    pub(crate) fn truncate(&mut self, blocks: usize) {
        if blocks < self.blocks() {
            self.words.truncate(blocks.next_multiple_of(BLOCKS_PER_PAGE) * self.count.all);
            self.words.shrink_to_fit();
        }
    }

    /// Marks rows of a block, which there must be room for: all of them as changed, and those in `new` as added.
    ///
    /// # Panics
    /// If there is no room for the block.
    #[inline]
    pub(crate) fn mark(&self, block: usize, rows: u64, new: u64) {
        let words = &self.words[block * self.count.all..(block + 1) * self.count.all];
        let (changed, added) = words.split_at(self.count.changed);
        set(changed, rows);
        set(added, new);
    }

    /// The same for one row, with room for its block.
    #[inline]
    pub(crate) fn mark_row(&mut self, row: usize, new: bool) {
        let (block, bit) = (row / BLOCK_ROWS, 1 << (row % BLOCK_ROWS));
        self.reserve(block + 1);
        self.mark(block, bit, if new { bit } else { 0 });
    }

    /// Gives the row `to` the bits of the row `from`.
    pub(crate) fn move_row(&mut self, from: usize, to: usize) {
        if !self.are_some() {
            return;
        }
        self.reserve(from.max(to) / BLOCK_ROWS + 1);
        for lane in 0..self.count.all {
            let at = |row: usize| (row / BLOCK_ROWS * self.count.all + lane, row % BLOCK_ROWS);
            let ((source, bit), (target, place)) = (at(from), at(to));
            let bit = self.words[source].get_mut().unbounded_shr(bit as u32) & 1;
            let word = self.words[target].get_mut();
            *word = *word & !(1 << place) | bit << place;
        }
    }

    /// Removes the rows of a lane that the system has seen, of each block those in the mask. What it is not subscribed to
    /// stays, until it is. O(blocks).
    pub(crate) fn empty(&self, lane: usize, seen: impl Fn(usize) -> u64) {
        let words = self.words.iter().skip(lane).step_by(self.count.all.max(1)).enumerate();
        for (block, word) in words {
            let marked = word.load(Relaxed);
            if marked != 0 {
                word.store(marked & !seen(block), Relaxed);
            }
        }
    }

    /// The rows of a block that a lane has marked.
    #[cfg(any(test, feature = "serde"))]
    pub(crate) fn marked(&self, block: usize, lane: usize) -> u64 {
        self.words.get(block * self.count.all + lane).map_or(0, |word| word.load(Relaxed))
    }

    /// Becomes a copy of the lanes of the same component in another storage.
    pub(crate) fn copy(&mut self, from: &Self) {
        if !self.are_some() || self.count != from.count {
            return;
        }
        self.words.truncate(from.words.len());
        for (to, from) in self.words.iter_mut().zip(&from.words) {
            *to.get_mut() = from.load(Relaxed);
        }
        let copied = self.words.len();
        self.words.extend(from.words[copied..].iter().map(|word| word.load(Relaxed).into()));
    }

    /// Removes all marks.
    #[cfg(feature = "serde")]
    pub(crate) fn clear(&mut self) {
        self.words.iter_mut().for_each(|word| *word.get_mut() = 0);
    }

    /// Makes these the rows of a block that a lane has marked.
    ///
    /// # Panics
    /// If there is no room for the block.
    #[cfg(feature = "serde")]
    pub(crate) fn set_marked(&mut self, block: usize, lane: usize, rows: u64) {
        *self.words[block * self.count.all + lane].get_mut() = rows;
    }

    /// Calls `f` with each word of the first `blocks` blocks, and the number of its block. Blocks without room have zeros.
    pub(crate) fn for_each(&self, blocks: usize, mut f: impl FnMut(usize, u64)) {
        for at in 0..blocks * self.count.all {
            let word = self.words.get(at).map_or(0, |word| word.load(Relaxed));
            f(at / self.count.all, word);
        }
    }
}

/// Sets bits in each of these words.
#[inline(always)]
pub(super) fn set(words: &[AtomicU64], rows: u64) {
    for word in words {
        word.store(word.load(Relaxed) | rows, Relaxed);
    }
}

/// The marked rows of a block in the lane `lane` of `all`.
#[inline(always)]
pub(crate) fn marked(words: &[AtomicU64], block: usize, lane: usize, all: usize) -> u64 {
    words.get(block * all + lane).map_or(0, |word| word.load(Relaxed))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use crate::rows::PAGE_ROWS;

    #[derive(Clone, Copy, Debug)]
    enum Act {
        Mark(usize, bool),
        Move(usize, usize),
        Empty(usize),
        Copy,
    }

    fn act() -> impl Strategy<Value = Act> {
        let row = || prop_oneof![0..200_usize, PAGE_ROWS - 70..PAGE_ROWS + 70];
        prop_oneof![
            6 => (row(), any::<bool>()).prop_map(|(row, new)| Act::Mark(row, new)),
            3 => (row(), row()).prop_map(|(from, to)| Act::Move(from, to)),
            1 => (0..3_usize).prop_map(Act::Empty),
            1 => Just(Act::Copy),
        ]
    }

    proptest! {
        /// Two lanes of changes and one of additions, beside three sets.
        #[test]
        fn lanes_are_sets(acts in proptest::collection::vec(act(), 0..60)) {
            let count = LaneCount { changed: 2, all: 3 };
            let mut lanes = Lanes::new(count);
            let mut sets = [(); 3].map(|()| BTreeSet::new());
            for act in acts {
                match act {
                    Act::Mark(row, new) => {
                        lanes.mark_row(row, new);
                        for set in &mut sets[..if new { 3 } else { 2 }] {
                            set.insert(row);
                        }
                    }
                    Act::Move(from, to) => {
                        lanes.move_row(from, to);
                        for set in &mut sets {
                            if set.contains(&from) { set.insert(to) } else { set.remove(&to) };
                        }
                    }
                    Act::Empty(lane) => {
                        lanes.empty(lane, |_| u64::MAX);
                        sets[lane].clear();
                    }
                    Act::Copy => {
                        let mut copy = Lanes::new(count);
                        copy.mark_row(3 * PAGE_ROWS, true);
                        copy.copy(&lanes);
                        lanes = copy;
                    }
                }
            }
            for (lane, set) in sets.iter().enumerate() {
                let rows = (0..2 * PAGE_ROWS).filter(|row| {
                    lanes.marked(row / BLOCK_ROWS, lane) >> (row % BLOCK_ROWS) & 1 == 1
                });
                prop_assert!(rows.eq(set.iter().copied()));
            }
        }
    }

    #[test]
    fn without_lanes_there_is_no_memory() {
        let mut lanes = Lanes::new(LaneCount::NONE);
        lanes.reserve(1000);
        lanes.move_row(3, 70);
        lanes.empty(0, |_| u64::MAX);
        assert!(!lanes.are_some() && lanes.words().is_empty());
    }

    #[test]
    fn words_end_with_the_rows() {
        let mut lanes = Lanes::new(LaneCount { changed: 1, all: 1 });
        lanes.mark_row(5 * PAGE_ROWS, false);
        assert_eq!(lanes.words().len(), 6 * BLOCKS_PER_PAGE);
        lanes.truncate(2 * BLOCKS_PER_PAGE + 1);
        assert_eq!(lanes.words().len(), 3 * BLOCKS_PER_PAGE);
        lanes.truncate(9 * BLOCKS_PER_PAGE);
        assert_eq!(lanes.words().len(), 3 * BLOCKS_PER_PAGE);
    }
}
