//! One page of a sparse integer set.

use crate::rows::{BLOCK_ROWS, BLOCKS_PER_PAGE, PAGE_ROWS, PageWords, Words, bits};

/// The members among the rows of one page, on the dense side. (The sparse side of all pages is one
/// list.)
#[derive(Debug)]
pub(super) struct SetPage {
    /// The first `len` entries are the members, as offsets in the page. After the last entry there
    /// is space to write eight at once.
    pub(super) dense: [u16; PAGE_ROWS + 8],
    pub(super) len: usize,
    /// The number of entries in `dense` of each block.
    pub(super) counts: [u8; BLOCKS_PER_PAGE],
    /// A mask of the blocks whose entries are out of date.
    pub(super) stale: u64,
}

/// The most entries that are copied to be rewritten without those of the whole page.
const FEW: usize = 256;

impl SetPage {
    pub(super) const EMPTY: Self =
        Self { dense: [0; PAGE_ROWS + 8], len: 0, counts: [0; BLOCKS_PER_PAGE], stale: 0 };

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
        page.get_or_insert_with(|| Box::new(Self::EMPTY)).stale |= changed;
        true
    }

    /// Updates the dense side, if it is out of date.
    pub(super) fn restore_stale(page: &mut Option<Box<Self>>, words: &PageWords) {
        if let Some(page) = page.as_deref_mut().filter(|page| page.stale != 0) {
            page.restore(words);
        }
    }

    /// Updates the dense side. O(rows from the first stale block on).
    pub(super) fn restore(&mut self, words: &PageWords) {
        let first = (self.stale.trailing_zeros() as usize).min(BLOCKS_PER_PAGE);
        let start = Self::sum(&self.counts[..first]);
        // Mostly the last blocks have changed, as rows come and go at the end.
        if self.len - start <= FEW {
            let mut old = [0; FEW];
            let old = &mut old[..self.len - start];
            old.copy_from_slice(&self.dense[start..self.len]);
            self.rewrite(words, first, start, old);
        } else {
            let old = self.dense;
            self.rewrite(words, first, start, &old[start..self.len]);
        }
        self.stale = 0;
    }

    /// Writes the entries from that block on, which begin at `start`, and of which these are the old ones.
    #[inline(always)]
    fn rewrite(&mut self, words: &PageWords, mut block: usize, start: usize, old: &[u16]) {
        let (mut from, mut to) = (0, start);
        while block < BLOCKS_PER_PAGE {
            // The blocks before the next stale one keep their entries.
            let clean =
                ((self.stale >> block).trailing_zeros() as usize).min(BLOCKS_PER_PAGE - block);
            let kept = Self::sum(&self.counts[block..block + clean]);
            self.dense[to..to + kept].copy_from_slice(&old[from..from + kept]);
            (from, to) = (from + kept, to + kept);
            block += clean;
            if block < BLOCKS_PER_PAGE {
                from += usize::from(self.counts[block]);
                let count = self.write_block(block, words[block], to);
                self.counts[block] = count as u8;
                to += count;
                block += 1;
            }
        }
        self.len = to;
    }

    /// Writes the entries of a block from `at` on, and arbitrary values to up to eight entries
    /// after them. Returns the number of entries.
    fn write_block(&mut self, block: usize, members: u64, at: usize) -> usize {
        let mut to = at;
        for (byte, bits) in members.to_le_bytes().into_iter().enumerate() {
            let first = (block * BLOCK_ROWS + byte * 8) as u16;
            let entries = OFFSETS[usize::from(bits)].map(|offset| first + offset);
            self.dense[to..to + 8].copy_from_slice(&entries);
            to += bits.count_ones() as usize;
        }
        to - at
    }

    /// The number of members in blocks before `block`.
    pub(super) fn rank(&self, block: usize) -> usize {
        if block == BLOCKS_PER_PAGE { self.len } else { Self::sum(&self.counts[..block]) }
    }

    /// The entries of the blocks from `start` up to `end`.
    #[inline(never)]
    pub(super) fn part(&self, (start, end): (usize, usize)) -> &[u16] {
        &self.dense[self.rank(start)..self.rank(end)]
    }

    pub(super) fn sum(counts: &[u8]) -> usize {
        counts.iter().map(|&count| usize::from(count)).sum()
    }
}

/// For each byte the positions of its ones, in ascending order.
static OFFSETS: [[u16; 8]; 256] = {
    let mut all = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut count) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                all[byte][count] = bit;
                count += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    all
};
