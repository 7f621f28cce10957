//! Which rows have a component, one bit each, and which blocks have changed since the last refresh.

use super::words::{Members, Page, PageWords, Words, bits, is_member, page_words, word_of};
use super::{BLOCK_ROWS, BLOCKS_PER_PAGE, PAGE_ROWS};

/// A set of rows, stored as a word per block of 64 rows. Under a dynamic limit, pages that have
/// never had members take no memory.
///
/// Each change marks its block as *dirty*, so that the refresh looks only at changed blocks. All
/// operations take O(1) unless documented otherwise.
#[derive(Debug)]
pub(crate) struct Presence {
    /// Each page has a mask of its dirty blocks.
    pages: Vec<Words>,
    /// The pages with dirty blocks.
    dirty_pages: Vec<u32>,
    /// The number of members when no page was dirty last.
    len: u32,
    /// The number of members; [`UNKNOWN`] while a page is dirty.
    known_len: u32,
    /// The same for sets that are parts of this one; while a page is dirty, a number that is never the length of one.
    len_of_parts: u32,
}

/// More members than a set can have.
const UNKNOWN: u32 = u32::MAX;

/// Blocks of a page that are looked at together: a spawn that needs one block looks at few others.
const GROUP: usize = 16;

/// The number of ones in a mask, of which most have one.
#[inline(always)]
fn count(mask: u64) -> i32 {
    if mask & mask.wrapping_sub(1) == 0 { i32::from(mask != 0) } else { count_many(mask) }
}

/// Apart, so that the compiler does not count the ones of a mask that has only one.
#[inline(never)]
fn count_many(mask: u64) -> i32 {
    mask.count_ones() as i32
}

/// The number of rows in the masks of blocks.
fn count_all(masks: impl Iterator<Item = (usize, u64)>) -> usize {
    masks.map(|(_, mask)| mask.count_ones() as usize).sum()
}

/// The rows of one page, mutable.
pub(crate) struct PresencePage<'a>(&'a mut Words);

impl PresencePage<'_> {
    /// Adds the rows in `mask` to a block of the page. Returns those that are new, and whether this
    /// call has made the page dirty.
    #[inline(always)]
    pub(crate) fn add(&mut self, block: usize, mask: u64) -> (u64, bool) {
        let page = self.0.own_page();
        let new = mask & !page.words[block];
        page.words[block] |= mask;
        page.gained += count(new);
        (new, touch(page, block, new))
    }

    /// Removes the rows in `mask` from a block of the page. Returns those that were members, and
    /// whether this call has made the page dirty.
    #[inline]
    pub(crate) fn clear(&mut self, block: usize, mask: u64) -> (u64, bool) {
        let taken = self.0[block] & mask;
        if taken == 0 {
            return (0, false);
        }
        let page = self.0.own_page();
        page.words[block] &= !mask;
        page.gained -= count(taken);
        (taken, touch(page, block, taken))
    }

    /// Adds the rows in the mask of each block. Blocks are numbered in the world and must belong to
    /// this page. `total` is the number of rows in the masks. Returns whether this call has made the page dirty.
    #[inline(always)]
    pub(crate) fn add_each(
        &mut self,
        masks: impl Iterator<Item = (usize, u64)> + Clone,
        total: usize,
    ) -> bool {
        debug_assert_eq!(total, count_all(masks.clone()), "the number of members would be wrong");
        let Page { words, dirty, gained } = self.0.own_page();
        let was_clean = *dirty == 0;
        *gained += total as i32;
        for (block, mask) in masks {
            let word = &mut words[block % BLOCKS_PER_PAGE];
            let present = mask & *word;
            if present != 0 {
                *gained -= count(present);
            }
            *dirty |= u64::from(present != mask) << (block % BLOCKS_PER_PAGE);
            *word |= mask;
        }
        was_clean && *dirty != 0
    }

    /// Removes the rows in the mask of each block. Blocks are numbered in the world and must belong
    /// to this page. `total` is the number of rows in the masks. `gone` gets each block with its rows that were members, and
    /// must not panic. Returns whether this call has made the page dirty.
    #[inline(always)]
    pub(crate) fn clear_each(
        &mut self,
        masks: impl Iterator<Item = (usize, u64)> + Clone,
        total: usize,
        mut gone: impl FnMut(usize, u64),
    ) -> bool {
        debug_assert_eq!(total, count_all(masks.clone()), "the number of members would be wrong");
        if !self.0.are_own() {
            return false;
        }
        let Page { words, dirty, gained } = self.0.own_page();
        let was_clean = *dirty == 0;
        *gained -= total as i32;
        for (block, mask) in masks {
            let word = &mut words[block % BLOCKS_PER_PAGE];
            let taken = *word & mask;
            if taken != mask {
                *gained += count(mask & !taken);
            }
            if taken != 0 {
                *word ^= taken;
                *dirty |= 1 << (block % BLOCKS_PER_PAGE);
                gone(block, taken);
            }
        }
        was_clean && *dirty != 0
    }

    /// The members of a block of the page, as a mask.
    pub(crate) fn word(&self, block: usize) -> u64 {
        self.0[block]
    }

    /// Whether the row at the offset is a member.
    #[inline]
    pub(crate) fn contains(&self, offset: usize) -> bool {
        self.0[offset / BLOCK_ROWS] >> (offset % BLOCK_ROWS) & 1 == 1
    }
}

/// Marks a block of a page as dirty if rows of it have changed. Returns whether that has made the page dirty.
#[inline(always)]
fn touch(page: &mut Page, block: usize, changed: u64) -> bool {
    // A dirty block is not marked again: otherwise each change would have to wait for the
    // previous one.
    if changed == 0 || page.dirty >> block & 1 == 1 {
        return false;
    }
    let was_clean = page.dirty == 0;
    page.dirty |= 1 << block;
    was_clean
}

/// Pointers to the pages of a set, to change the pages in parallel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PresencePages(*mut Words);

impl PresencePages {
    /// One page. A caller that makes it dirty must report that to
    /// [`note_dirty`](Presence::note_dirty).
    ///
    /// # Safety
    /// The set must span the page and be borrowed for `'a`, and nothing else may access this page
    /// meanwhile.
    #[inline]
    pub(crate) unsafe fn page<'a>(self, page: usize) -> PresencePage<'a> {
        // SAFETY: the set spans the page, and the caller has exclusive access to it.
        PresencePage(unsafe { &mut *self.0.wrapping_add(page) })
    }
}

impl Presence {
    /// An empty set with room for `rows` rows in its tables.
    pub(crate) fn dynamic(rows: usize) -> Self {
        let pages = rows.div_ceil(PAGE_ROWS);
        Self {
            pages: Vec::with_capacity(pages),
            dirty_pages: Vec::with_capacity(pages),
            len: 0,
            known_len: 0,
            len_of_parts: 0,
        }
    }

    /// An empty set for `rows` rows, with the memory of the first 2²⁴ rows allocated: two megabytes. A larger limit
    /// is one that few worlds come near.
    pub(crate) fn fixed(rows: usize) -> Self {
        let mut this = Self::dynamic(rows);
        this.reserve(rows.div_ceil(PAGE_ROWS));
        for words in this.pages.iter_mut().take((1 << 24) / PAGE_ROWS) {
            words.own();
        }
        this
    }

    #[inline]
    pub(crate) fn contains(&self, row: usize) -> bool {
        is_member(&self.pages, row)
    }

    /// The members of one block, as a mask.
    #[inline]
    pub(crate) fn word(&self, block: usize) -> u64 {
        word_of(&self.pages, block)
    }

    /// The members of one page.
    #[inline]
    pub(crate) fn page_words(&self, page: usize) -> &PageWords {
        page_words(&self.pages, page)
    }

    /// The members of one page; `None` if it has never had any.
    #[inline]
    pub(crate) fn page(&self, page: usize) -> Option<&PageWords> {
        self.pages.get(page).filter(|words| words.are_own()).map(|words| &**words)
    }

    /// The number of rows in the set. O(pages).
    pub(crate) fn count(&self) -> usize {
        let words = self.pages.iter().filter(|words| words.are_own()).flat_map(|words| &**words);
        words.map(|word| word.count_ones() as usize).sum()
    }

    /// The number of pages that the set spans.
    pub(crate) fn page_count(&self) -> usize {
        self.pages.len()
    }

    /// Adds a row. Returns whether it is new.
    #[inline(always)]
    pub(crate) fn insert(&mut self, row: usize) -> bool {
        self.add(row / BLOCK_ROWS, 1 << (row % BLOCK_ROWS)) != 0
    }

    /// Adds the rows in `mask` to a block. Returns the new ones.
    #[inline(always)]
    pub(crate) fn add(&mut self, block: usize, mask: u64) -> u64 {
        let (index, block) = (block / BLOCKS_PER_PAGE, block % BLOCKS_PER_PAGE);
        if self.pages.len() <= index {
            self.reserve(index + 1);
        }
        // SAFETY: `reserve` has made at least `index + 1` pages.
        let page = unsafe { self.pages.get_unchecked_mut(index) };
        let (new, first) = PresencePage(page).add(block, mask);
        if first {
            self.note_dirty(index as u32);
        }
        new
    }

    /// Adds a row, if it is a member or its block is dirty already: all that most of many changes take. Returns whether the row is
    /// new; `None` if nothing was done.
    #[inline(always)]
    pub(crate) fn insert_if_dirty(&mut self, row: usize) -> Option<bool> {
        let (page, block, mask) = self.place_of(row)?;
        if page[block] & mask != 0 {
            return Some(false);
        }
        let page = page.page_if_dirty(block)?;
        page.words[block] |= mask;
        page.gained += 1;
        Some(true)
    }

    /// Removes a row, if it is no member or its block is dirty already. Returns whether it was a member; `None` if nothing was
    /// done.
    #[inline(always)]
    pub(crate) fn remove_if_dirty(&mut self, row: usize) -> Option<bool> {
        let (page, block, mask) = self.place_of(row)?;
        if page[block] & mask == 0 {
            return Some(false);
        }
        let page = page.page_if_dirty(block)?;
        page.words[block] &= !mask;
        page.gained -= 1;
        Some(true)
    }

    /// The page of a row, its block there, and its bit.
    #[inline(always)]
    fn place_of(&mut self, row: usize) -> Option<(&mut Words, usize, u64)> {
        let page = self.pages.get_mut(row / PAGE_ROWS)?;
        Some((page, row / BLOCK_ROWS % BLOCKS_PER_PAGE, 1 << (row % BLOCK_ROWS)))
    }

    /// Adds the rows in the mask of each block. Blocks are numbered in the world and must belong to the page. `total` is the
    /// number of rows in the masks.
    #[inline]
    pub(crate) fn add_each(
        &mut self,
        page: usize,
        masks: impl Iterator<Item = (usize, u64)> + Clone,
        total: usize,
    ) {
        self.reserve(page + 1);
        if PresencePage(&mut self.pages[page]).add_each(masks, total) {
            self.note_dirty(page as u32);
        }
    }

    /// Adds the rows in `words` to a page.
    pub(crate) fn add_page(&mut self, page: usize, words: &PageWords) {
        self.reserve(page + 1);
        if *self.pages[page] == *words {
            return;
        }
        let Page { words: own, dirty, gained } = self.pages[page].own_page();
        let count =
            |words: &PageWords| words.iter().map(|word| word.count_ones() as i32).sum::<i32>();
        let (was_clean, before) = (*dirty == 0, count(own));
        for (block, (own, word)) in own.iter_mut().zip(words).enumerate() {
            *dirty |= u64::from(word & !*own != 0) << block;
            *own |= word;
        }
        *gained += count(own) - before;
        if was_clean && *dirty != 0 {
            self.note_dirty(page as u32);
        }
    }

    /// Removes a row. Returns whether it was a member.
    #[inline]
    pub(crate) fn remove(&mut self, row: usize) -> bool {
        self.clear(row / BLOCK_ROWS, 1 << (row % BLOCK_ROWS)) != 0
    }

    /// Removes the rows in `mask` from a block. Returns those that were members.
    #[inline]
    pub(crate) fn clear(&mut self, block: usize, mask: u64) -> u64 {
        let (index, block) = (block / BLOCKS_PER_PAGE, block % BLOCKS_PER_PAGE);
        let Some(page) = self.pages.get_mut(index) else { return 0 };
        let (taken, first) = PresencePage(page).clear(block, mask);
        if first {
            self.note_dirty(index as u32);
        }
        taken
    }

    /// Adds the `count` lowest rows of the page of `block`, from `block` on, that are neither
    /// members nor in the mask `but` of their block; fewer, if there are not enough. `f` gets each
    /// block, in ascending order, with its new rows and the number of new rows before it. Returns
    /// the number of new rows. O(blocks looked at).
    pub(crate) fn fill(
        &mut self,
        block: usize,
        count: usize,
        but: impl Fn(usize) -> u64,
        mut f: impl FnMut(usize, u64, usize),
    ) -> usize {
        let index = block / BLOCKS_PER_PAGE;
        self.reserve(index + 1);
        let Page { words, dirty, gained } = self.pages[index].own_page();
        let (first_block, from) = (index * BLOCKS_PER_PAGE, block % BLOCKS_PER_PAGE);
        let (was_clean, mut done) = (*dirty == 0, 0);
        for group in (from / GROUP * GROUP..BLOCKS_PER_PAGE).step_by(GROUP) {
            // First finds the blocks with free rows, without a branch for each, which the processor could not predict.
            let mut with_free = 0;
            for (offset, word) in words.iter().enumerate().skip(group).take(GROUP) {
                with_free |= u64::from(word | but(first_block + offset) != u64::MAX) << offset;
            }
            for offset in bits(with_free & u64::MAX << from) {
                if done == count {
                    break;
                }
                let free = !(words[offset] | but(first_block + offset));
                let (available, left) = (free.count_ones() as usize, count - done);
                let (rows, added) =
                    if available <= left { (free, available) } else { (lowest(free, left), left) };
                words[offset] |= rows;
                *dirty |= 1 << offset;
                f(first_block + offset, rows, done);
                done += added;
            }
            if done == count {
                break;
            }
        }
        *gained += done as i32;
        if was_clean && *dirty != 0 {
            self.note_dirty(index as u32);
        }
        done
    }

    /// Becomes the same set as `from`. Only the first `blocks` blocks of both are considered.
    /// O(blocks).
    pub(crate) fn copy(&mut self, from: &Self, blocks: usize) {
        for block in 0..blocks {
            let word = from.word(block);
            if self.word(block) != word {
                self.clear(block, !word);
                self.add(block, word);
            }
        }
    }

    /// Makes the set span at least `pages` pages.
    #[cold]
    pub(crate) fn reserve(&mut self, pages: usize) {
        if self.pages.len() < pages {
            self.pages.resize_with(pages, Words::default);
        }
    }

    /// Frees the pages from `pages` on, which must not have members. No page may be dirty.
    pub(crate) fn truncate(&mut self, pages: usize) {
        (pages..self.pages.len()).for_each(|page| self.free_page(page));
        self.pages.truncate(pages);
    }

    /// Frees a page, which must not have members. No page may be dirty.
    pub(crate) fn free_page(&mut self, page: usize) {
        debug_assert!(self.dirty_pages.is_empty(), "a dirty page would be forgotten");
        if let Some(words) = self.pages.get_mut(page) {
            debug_assert!(words.iter().all(|word| *word == 0), "the length would be wrong");
            *words = Words::default();
        }
    }

    /// The pages, to be changed in parallel.
    pub(crate) fn pages_mut(&mut self) -> PresencePages {
        PresencePages(self.pages.as_mut_ptr())
    }

    /// Records that a page has become dirty.
    #[inline]
    pub(crate) fn note_dirty(&mut self, page: u32) {
        (self.known_len, self.len_of_parts) = (UNKNOWN, UNKNOWN - 1);
        self.dirty_pages.push(page);
    }

    /// Whether a block is dirty.
    pub(crate) fn is_dirty(&self, block: usize) -> bool {
        self.dirty_blocks(block / BLOCKS_PER_PAGE) >> (block % BLOCKS_PER_PAGE) & 1 == 1
    }

    /// The block that has become dirty last is as it was before, and not dirty any more.
    pub(crate) fn forget_dirty(&mut self, block: usize) {
        let index = block / BLOCKS_PER_PAGE;
        let page = self.pages[index].own_page();
        page.dirty &= !(1 << (block % BLOCKS_PER_PAGE));
        if page.dirty == 0 {
            self.dirty_pages.pop_if(|last| *last == index as u32);
            if self.dirty_pages.is_empty() {
                self.know();
            }
        }
    }

    /// The pages with dirty blocks, in the order in which they became dirty.
    pub(crate) fn dirty_pages(&self) -> &[u32] {
        &self.dirty_pages
    }

    /// The dirty blocks of one page, as a mask.
    pub(crate) fn dirty_blocks(&self, page: usize) -> u64 {
        self.pages.get(page).map_or(0, Words::dirty)
    }

    /// Forgets which blocks were dirty. O(dirty pages).
    pub(crate) fn clean(&mut self) {
        for page in self.dirty_pages.drain(..) {
            let page = self.pages[page as usize].own_page();
            page.dirty = 0;
            self.len = self.len.wrapping_add_signed(core::mem::take(&mut page.gained));
        }
        self.know();
    }

    /// No page is dirty.
    fn know(&mut self) {
        (self.known_len, self.len_of_parts) = (self.len, self.len);
    }

    /// The members, for look-ups; `used` are the rows in use, which contain them.
    #[inline(always)]
    pub(crate) fn members<'a>(&'a self, used: &Self) -> Members<'a> {
        Members::new(&self.pages, self.known_len == used.len_of_parts)
    }

    /// Whether the set has this number of members, and no page is dirty.
    #[inline]
    pub(crate) fn has(&self, count: usize) -> bool {
        self.len_of_parts as usize == count
    }
}

/// The lowest `count` bits of `mask`.
pub(crate) fn lowest(mask: u64, count: usize) -> u64 {
    // Needs no count if a whole block is requested.
    if count >= BLOCK_ROWS || mask.count_ones() as usize <= count {
        return mask;
    }
    let mut rest = mask;
    for _ in 0..count {
        rest &= rest - 1;
    }
    mask & !rest
}

/// The row after the last one in a mask of rows of the block; the block's first row if the mask is
/// empty.
#[inline(always)]
pub(crate) fn end_of(block: usize, rows: u64) -> usize {
    (block + 1) * BLOCK_ROWS - rows.leading_zeros() as usize
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn behaves_like_a_set(
            rows in proptest::collection::vec((0..3 * PAGE_ROWS, any::<bool>()), 0..200),
            others in proptest::collection::btree_set(0..3 * PAGE_ROWS, 0..50),
        ) {
            let mut presence = Presence::dynamic(10);
            let mut model = BTreeSet::new();
            let mut touched = BTreeSet::new();
            for (row, insert) in rows {
                let changed = if insert {
                    // Half of the rows by the short path, where there is one.
                    let short = (row % 2 == 0).then(|| presence.insert_if_dirty(row)).flatten();
                    let is_new = short.unwrap_or_else(|| presence.insert(row));
                    prop_assert_eq!(is_new, !model.contains(&row));
                    model.insert(row)
                } else {
                    let short = (row % 2 == 0).then(|| presence.remove_if_dirty(row)).flatten();
                    let was_member = short.unwrap_or_else(|| presence.remove(row));
                    prop_assert_eq!(was_member, model.contains(&row));
                    model.remove(&row)
                };
                if changed {
                    touched.insert(row / BLOCK_ROWS);
                }
            }
            for row in 0..3 * PAGE_ROWS {
                prop_assert_eq!(presence.contains(row), model.contains(&row));
            }
            let mut dirty = BTreeSet::new();
            for &page in presence.dirty_pages() {
                let mask = presence.dirty_blocks(page as usize);
                dirty.extend((0..64).filter(|b| mask >> b & 1 == 1).map(|b| page as usize * 64 + b));
            }
            prop_assert_eq!(&dirty, &touched);
            // A copy into another set has the same rows; blocks that differed are dirty.
            let mut other = Presence::fixed(10);
            for &row in &others {
                prop_assert!(other.insert(row));
            }
            other.clean();
            other.copy(&presence, 3 * BLOCKS_PER_PAGE);
            for row in 0..3 * PAGE_ROWS {
                prop_assert_eq!(other.contains(row), model.contains(&row));
            }
            let differed: BTreeSet<usize> =
                model.symmetric_difference(&others).map(|row| row / BLOCK_ROWS).collect();
            let is_dirty =
                |block: &usize| other.dirty_blocks(block / 64) >> (block % 64) & 1 == 1;
            prop_assert_eq!((0..3 * 64).filter(is_dirty).collect::<BTreeSet<_>>(), differed);
            prop_assert_eq!(presence.has(model.len()), dirty.is_empty());
            presence.clean();
            prop_assert!(presence.has(model.len()) && !presence.has(model.len() + 1));
            prop_assert!(presence.dirty_pages().is_empty());
            prop_assert!((0..4).all(|page| presence.dirty_blocks(page) == 0));
        }

        /// The length is known once no page is dirty, and it is exact then.
        #[test]
        fn its_length_is_exact(
            changes in proptest::collection::vec(
                (0..12_usize, 0..3 * BLOCKS_PER_PAGE, any::<u64>()), 0..60,
            ),
        ) {
            let mut set = Presence::dynamic(0);
            set.reserve(3);
            for (kind, block, mask) in changes {
                let page = block / BLOCKS_PER_PAGE;
                let blocks = (block..(page + 1) * BLOCKS_PER_PAGE).step_by(5);
                let masks = blocks.map(|block| (block, mask.rotate_left(block as u32)));
                // SAFETY: the set spans three pages, and nothing else accesses this one while it is borrowed.
                let mut of_page = unsafe { set.pages_mut().page(page) };
                match kind {
                    0 => _ = set.add(block, mask),
                    1 | 2 => _ = set.clear(block, mask),
                    3 | 4 => {
                        let rows = count_all(masks.clone());
                        let is_first = if kind == 3 {
                            of_page.add_each(masks, rows)
                        } else {
                            of_page.clear_each(masks, rows, |_, _| ())
                        };
                        if is_first {
                            set.note_dirty(page as u32);
                        }
                    }
                    5 => set.add_page(page, &[mask; BLOCKS_PER_PAGE]),
                    6 => _ = set.fill(block, mask as usize % 200, |_| mask, |_, _, _| ()),
                    10 => _ = set.insert_if_dirty(block * BLOCK_ROWS + mask as usize % BLOCK_ROWS),
                    11 => _ = set.remove_if_dirty(block * BLOCK_ROWS + mask as usize % BLOCK_ROWS),
                    7 if !set.is_dirty(block) => {
                        let rows = set.clear(block, mask);
                        if rows != 0 {
                            set.add(block, rows);
                            set.forget_dirty(block);
                        }
                    }
                    8 => {
                        let mut other = Presence::dynamic(0);
                        other.add_page(page, &[mask; BLOCKS_PER_PAGE]);
                        other.clean();
                        other.copy(&set, 3 * BLOCKS_PER_PAGE);
                        other.reserve(3);
                        set = other;
                    }
                    _ => set.clean(),
                }
                let count: u32 = (0..3 * BLOCKS_PER_PAGE).map(|block| set.word(block).count_ones()).sum();
                let is_known = set.dirty_pages().is_empty();
                prop_assert_eq!(set.known_len, if is_known { count } else { UNKNOWN });
                prop_assert_eq!(set.has(count as usize), is_known);
            }
        }
    }
}
