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

    /// Updates the dense side in place. O(rows from the first stale block on).
    pub(super) fn restore(&mut self, words: &PageWords) {
        let first = (self.stale.trailing_zeros() as usize).min(BLOCKS_PER_PAGE);
        let start = Self::sum(&self.counts[..first]);
        // The entries of the blocks between stale ones move: from where, to where, and how many.
        let mut moves = [[0_u16; 3]; BLOCKS_PER_PAGE];
        let mut count = 0;
        let (mut from, mut to, mut block) = (start, start, first);
        while block < BLOCKS_PER_PAGE {
            from += usize::from(self.counts[block]);
            self.counts[block] = words[block].count_ones() as u8;
            to += usize::from(self.counts[block]);
            block += 1;
            let stale = self.stale.checked_shr(block as u32).unwrap_or(0);
            let clean = (stale.trailing_zeros() as usize).min(BLOCKS_PER_PAGE - block);
            let kept = Self::sum(&self.counts[block..block + clean]);
            if kept > 0 && from != to {
                moves[count] = [from as u16, to as u16, kept as u16];
                count += 1;
            }
            (from, to, block) = (from + kept, to + kept, block + clean);
        }
        self.len = to;
        // None of them is written over before it has moved: first those that move down, in ascending order, then those that move
        // up, in descending order.
        let moves = moves[..count].iter().map(|copied| copied.map(usize::from));
        for [from, to, kept] in moves.clone().filter(|[from, to, _]| to < from) {
            self.dense.copy_within(from..from + kept, to);
        }
        for [from, to, kept] in moves.rev().filter(|[from, to, _]| to > from) {
            self.dense.copy_within(from..from + kept, to);
        }
        let (mut at, mut next) = (start, first);
        for block in bits(self.stale) {
            at += Self::sum(&self.counts[next..block]);
            self.write_block(block, words[block], at);
            at += usize::from(self.counts[block]);
            next = block + 1;
        }
        self.stale = 0;
    }

    /// Writes the entries of a block, which has been counted, from `at` on.
    fn write_block(&mut self, block: usize, members: u64, at: usize) {
        let end = at + usize::from(self.counts[block]);
        // Up to eight entries are written behind the end.
        let behind = <[u16; 8]>::try_from(&self.dense[end..end + 8]).expect("there are eight");
        let mut to = at;
        for (byte, bits) in members.to_le_bytes().into_iter().enumerate() {
            let first = (block * BLOCK_ROWS + byte * 8) as u16;
            let entries = OFFSETS[usize::from(bits)].map(|offset| first + offset);
            self.dense[to..to + 8].copy_from_slice(&entries);
            to += usize::from(COUNTS[usize::from(bits)]);
        }
        self.dense[end..end + 8].copy_from_slice(&behind);
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

/// For each byte the number of its ones: a load takes less time than to count them without an instruction for it.
static COUNTS: [u8; 256] = {
    let mut all = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        all[byte] = (byte as u8).count_ones() as u8;
        byte += 1;
    }
    all
};

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
