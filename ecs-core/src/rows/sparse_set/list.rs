//! The members of a page as a list, for loops over rows that do not follow one another.

use super::page::Counts;
use crate::rows::{BLOCK_ROWS, BLOCKS_PER_PAGE, PAGE_ROWS, PageWords, bits};

/// The members of a page, as ascending offsets.
#[derive(Debug)]
pub(super) struct List {
    /// One entry for each member. After the last entry there is space to write eight at once.
    offsets: [u16; PAGE_ROWS + 8],
}

impl List {
    /// The list of a page whose blocks have been counted.
    pub(super) fn new(words: &PageWords, counts: &Counts) -> Box<Self> {
        let mut list = Box::new(Self { offsets: [0; PAGE_ROWS + 8] });
        list.write(counts.occupied, words, counts);
        list
    }

    pub(super) fn offsets(&self) -> &[u16] {
        &self.offsets
    }

    /// Takes in the new members of the blocks in the mask `stale`, and counts them. O(rows from the first of these blocks on).
    pub(super) fn restore(&mut self, stale: u64, words: &PageWords, counts: &mut Counts) {
        let first = (stale.trailing_zeros() as usize).min(BLOCKS_PER_PAGE);
        let start = counts.sum(0, first);
        // The entries of the blocks between stale ones move: from where, to where, and how many.
        let mut moves = [[0_u16; 3]; BLOCKS_PER_PAGE];
        let mut count = 0;
        let (mut from, mut to, mut block) = (start, start, first);
        while block < BLOCKS_PER_PAGE {
            from += counts.of(block);
            counts.count(block, words[block]);
            to += counts.of(block);
            block += 1;
            let rest = stale.checked_shr(block as u32).unwrap_or(0);
            let clean = (rest.trailing_zeros() as usize).min(BLOCKS_PER_PAGE - block);
            let kept = counts.sum(block, block + clean);
            if kept > 0 && from != to {
                moves[count] = [from as u16, to as u16, kept as u16];
                count += 1;
            }
            (from, to, block) = (from + kept, to + kept, block + clean);
        }
        // None of them is written over before it has moved: first those that move down, in ascending order, then those that move
        // up, in descending order.
        let moves = moves[..count].iter().map(|copied| copied.map(usize::from));
        for [from, to, kept] in moves.clone().filter(|[from, to, _]| to < from) {
            self.offsets.copy_within(from..from + kept, to);
        }
        for [from, to, kept] in moves.rev().filter(|[from, to, _]| to > from) {
            self.offsets.copy_within(from..from + kept, to);
        }
        self.write(stale, words, counts);
    }

    /// Writes the entries of the blocks in the mask to where they belong by the counts.
    fn write(&mut self, blocks: u64, words: &PageWords, counts: &Counts) {
        let (mut at, mut next) = (0, 0);
        for block in bits(blocks) {
            at += counts.sum(next, block);
            let end = at + counts.of(block);
            self.write_block(block, words[block], at, end);
            (at, next) = (end, block + 1);
        }
    }

    /// Writes the entries of a block from `at` up to `end`.
    fn write_block(&mut self, block: usize, members: u64, at: usize, end: usize) {
        // Up to eight entries are written behind the end.
        let behind = <[u16; 8]>::try_from(&self.offsets[end..end + 8]).expect("there are eight");
        let mut to = at;
        for (byte, bits) in members.to_le_bytes().into_iter().enumerate() {
            let first = (block * BLOCK_ROWS + byte * 8) as u16;
            let entries = OFFSETS[usize::from(bits)].map(|offset| first + offset);
            self.offsets[to..to + 8].copy_from_slice(&entries);
            to += usize::from(COUNTS[usize::from(bits)]);
        }
        self.offsets[end..end + 8].copy_from_slice(&behind);
    }
}

/// All offsets of a page: the list of members without a gap is a part of it.
pub(super) static ALL: [u16; PAGE_ROWS] = {
    let mut all = [0; PAGE_ROWS];
    let mut offset = 0;
    while offset < PAGE_ROWS {
        all[offset] = offset as u16;
        offset += 1;
    }
    all
};

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
