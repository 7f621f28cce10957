//! *Archetypes* of entities, and which pages of rows are whose.
//!
//! As a rule a world has one archetype, which has all rows. With rows by archetype
//! ([`ByArchetype`](crate::settings::ByArchetype)) those who have the same components when they are new are of one archetype; each has
//! pages of its own, so that a page has memory for the components of its archetype and for hardly any others, and
//! whoever matches a system lies beside others who do.

use super::slots::MAX_ENTITIES;
use crate::state_hash::{StateHash, StateHasher};
use crate::storage::{BLOCK_ROWS, BLOCKS_PER_PAGE, PAGE_ROWS};

/// As soon as so many archetypes have pages of their own, further ones share those of the first.
const MOST: usize = 1024;

/// No archetype has the page.
const FREE: u32 = u32::MAX;

/// The rows of one archetype.
///
/// They are counted as if the archetype's pages lay side by side, in ascending order: a *position* is a row counted
/// like that. Where there is one archetype, rows and positions are the same.
#[derive(Clone, Debug, Default)]
pub(super) struct Archetype {
    /// The components of its entities when they were new, as a [key](crate::component::IndexSet::key).
    key: u64,
    /// Its pages, ascending.
    pages: Vec<u32>,
    /// The block to be searched next for free rows, as positions go: before it there are none but `free_rows`.
    pub(super) next_block: usize,
    /// Free rows of the block `block`, which was searched last.
    pub(super) free_rows: u64,
    /// The number of that block.
    pub(super) block: usize,
    /// From this position on there is nobody.
    pub(super) end: usize,
    /// How many rows are in use or withheld.
    pub(super) count: usize,
    /// How many were born in this step before the dead of it had left.
    pub(super) born: usize,
}

impl Archetype {
    /// The key of its components.
    pub(super) fn key(&self) -> u64 {
        self.key
    }

    /// How many pages it has.
    pub(super) fn page_count(&self) -> usize {
        self.pages.len()
    }

    /// The row at a position.
    #[inline]
    pub(super) fn row(&self, position: usize) -> usize {
        self.pages[position / PAGE_ROWS] as usize * PAGE_ROWS + position % PAGE_ROWS
    }

    /// The block at a position, counted in blocks; `None` if the archetype has not got so many.
    #[inline]
    pub(super) fn block_at(&self, block: usize) -> Option<usize> {
        let page = *self.pages.get(block / BLOCKS_PER_PAGE)? as usize;
        Some(page * BLOCKS_PER_PAGE + block % BLOCKS_PER_PAGE)
    }

    /// Takes the lowest of the free rows that were found.
    #[inline(always)]
    pub(super) fn take_free_row(&mut self) -> usize {
        debug_assert!(self.free_rows != 0, "free rows were searched");
        let bit = self.free_rows.trailing_zeros() as usize;
        self.free_rows &= self.free_rows.wrapping_sub(1);
        self.block * BLOCK_ROWS + bit
    }

    /// As [`take_free_row`](Self::take_free_row); the row is in use from here on.
    #[inline(always)]
    pub(super) fn occupy_free_row(&mut self) -> usize {
        let row = self.take_free_row();
        let position = (self.next_block - 1) * BLOCK_ROWS + row % BLOCK_ROWS;
        self.end = self.end.max(position + 1);
        self.count += 1;
        row
    }

    /// Has free rows be searched from the block at a position on, if there may be any before those found.
    #[inline]
    pub(super) fn search_from(&mut self, block: usize) {
        if block < self.next_block {
            self.next_block = block;
            self.free_rows = 0;
        }
    }

    /// Has the free rows that were found be searched again.
    pub(super) fn forget_found(&mut self) {
        if self.free_rows != 0 {
            self.search_from(self.next_block - 1);
        }
    }

    /// Behind which row the archetype has nobody.
    fn last_row_end(&self) -> usize {
        self.end.checked_sub(1).map_or(0, |last| self.row(last) + 1)
    }

    fn copy(&mut self, from: &Self) {
        let mut pages = core::mem::take(&mut self.pages);
        pages.clone_from(&from.pages);
        *self = Self { pages, ..*from };
    }
}

/// All archetypes, and all pages.
#[derive(Debug)]
pub(super) struct Archetypes {
    list: Vec<Archetype>,
    /// The keys of all archetypes but the first, ascending, and where they are in the list.
    by_key: Vec<(u64, u32)>,
    /// The archetype that has each page. The last page is somebody's.
    of_page: Vec<u32>,
    /// How many archetypes have pages.
    with_pages: usize,
    /// Whether there may be more than one archetype.
    several: bool,
    /// Whether any archetype may have free rows before rows in use.
    gaps: bool,
    /// Whether spawns of any archetype were counted in this step.
    spawns: bool,
}

impl Archetypes {
    /// One archetype only, or as many as there are sets of components that entities are created with; with room for pages of
    /// so many rows.
    pub(super) fn new(several: bool, rows: usize) -> Self {
        let pages = rows.div_ceil(PAGE_ROWS);
        let first = Archetype { pages: Vec::with_capacity(pages), ..Archetype::default() };
        let of_page = Vec::with_capacity(pages);
        let (list, by_key) = (vec![first], Vec::new());
        Self { list, by_key, of_page, with_pages: 0, several, gaps: false, spawns: false }
    }

    /// Whether there may be more than one archetype.
    #[inline]
    pub(super) fn are_several(&self) -> bool {
        self.several
    }

    /// The archetype of those with the components of a [key](crate::component::IndexSet::key); the first one, if
    /// [`MOST`] others have pages already. O(log archetypes), amortized.
    #[inline]
    pub(super) fn of(&mut self, key: u64) -> usize {
        // (Whoever has no components is of the first archetype.)
        if self.several && key != 0 { self.find_or_add(key) } else { 0 }
    }

    fn find_or_add(&mut self, key: u64) -> usize {
        let found = self.by_key.binary_search_by_key(&key, |&(key, _)| key);
        if let Ok(found) = found
            && let archetype = self.by_key[found].1 as usize
            && !self.list[archetype].pages.is_empty()
        {
            return archetype;
        }
        // (Which others there have been must make no difference: it is no part of the world's state.)
        if self.with_pages > MOST {
            return 0;
        }
        match found {
            Ok(found) => self.by_key[found].1 as usize,
            Err(place) => {
                self.by_key.insert(place, (key, self.list.len() as u32));
                self.list.push(Archetype { key, ..Archetype::default() });
                self.list.len() - 1
            }
        }
    }

    /// The key of the archetype that lives in a page.
    pub(super) fn key_of_page(&self, page: usize) -> u64 {
        self.list[self.of_page[page] as usize].key
    }

    #[inline]
    pub(super) fn get(&self, archetype: usize) -> &Archetype {
        &self.list[archetype]
    }

    #[inline]
    pub(super) fn get_mut(&mut self, archetype: usize) -> &mut Archetype {
        &mut self.list[archetype]
    }

    /// An archetype, to count spawns of it that come before the dead have left.
    #[inline(always)]
    pub(super) fn for_spawns(&mut self, archetype: usize) -> &mut Archetype {
        self.spawns = true;
        &mut self.list[archetype]
    }

    /// SpawnBatch are counted from here on.
    #[inline]
    pub(super) fn begin_step(&mut self) {
        if self.spawns {
            self.spawns = false;
            self.list.iter_mut().for_each(|archetype| archetype.born = 0);
        }
    }

    /// Whether there may be free rows before rows in use.
    #[inline]
    pub(super) fn have_gaps(&self) -> bool {
        self.gaps
    }

    /// The archetype with a number in an order that does not depend on which one came first.
    pub(super) fn in_order(&self, number: usize) -> usize {
        number.checked_sub(1).map_or(0, |number| self.by_key[number].1 as usize)
    }

    /// How many archetypes there are.
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// The block to be searched next for free rows of an archetype, which gets another page if it has come to the end of
    /// its own; `None` if there can be no further page.
    #[inline]
    pub(super) fn next_block(&mut self, archetype: usize) -> Option<usize> {
        let this = &self.list[archetype];
        this.block_at(this.next_block).or_else(|| self.add_page(archetype))
    }

    /// Gives an archetype the lowest page behind its own that nobody has; the page's first block.
    #[cold]
    fn add_page(&mut self, archetype: usize) -> Option<usize> {
        let this = &mut self.list[archetype];
        let behind = this.pages.last().map_or(0, |&last| last + 1);
        let found = self.of_page[behind as usize..].iter().position(|&other| other == FREE);
        let page = found.map_or(self.of_page.len(), |free| behind as usize + free);
        if page == self.of_page.len() {
            // Where rows are not contiguous, they may run out before the limit is reached.
            if self.several && (page + 1) * PAGE_ROWS > MAX_ENTITIES {
                return None;
            }
            self.of_page.push(FREE);
        }
        self.of_page[page] = archetype as u32;
        self.with_pages += usize::from(this.pages.is_empty());
        this.pages.push(page as u32);
        Some(page * BLOCKS_PER_PAGE)
    }

    /// The archetype that lives in a page, of whose rows some come free, and the position of the page's first block among
    /// the archetype's.
    ///
    /// # Panics
    /// If none does.
    #[inline]
    pub(super) fn with_gap_in(&mut self, page: usize) -> (&mut Archetype, usize) {
        self.gaps = true;
        let archetype = &mut self.list[self.of_page[page] as usize];
        let position = if self.several {
            archetype.pages.partition_point(|&other| (other as usize) < page)
        } else {
            page
        };
        (archetype, position * BLOCKS_PER_PAGE)
    }

    /// Takes the pages of an archetype from it that are behind its first so many, and `taken` gets them. Nobody lives there.
    pub(super) fn release(
        &mut self,
        archetype: usize,
        needed: usize,
        mut taken: impl FnMut(usize),
    ) {
        let Self { list, of_page, with_pages, .. } = self;
        let this = &mut list[archetype];
        if needed >= this.pages.len() {
            return;
        }
        for page in this.pages.drain(needed..) {
            of_page[page as usize] = FREE;
            taken(page as usize);
        }
        *with_pages -= usize::from(needed == 0);
        this.search_from(needed * BLOCKS_PER_PAGE);
        while of_page.last() == Some(&FREE) {
            of_page.pop();
        }
    }

    /// After gaps were closed, notes whether any are left; behind which row nobody lives.
    pub(super) fn note_gaps(&mut self) -> usize {
        self.gaps = self.list.iter().any(|archetype| archetype.end > archetype.count);
        self.list.iter().map(Archetype::last_row_end).max().unwrap_or(0)
    }

    /// Takes all pages in which nobody lives from their archetypes, if they are more than an eighth of the others, and two.
    ///
    /// So a page goes from archetype to archetype without what the former one had there; and who grows and shrinks within
    /// that takes no memory anew. But of the first archetype's, in which those of other archetypes may have been until now, one
    /// stays. O(archetypes), if nothing is taken.
    pub(super) fn take_surplus(&mut self) -> Vec<usize> {
        let mut taken = Vec::new();
        if !self.several {
            return taken;
        }
        let needed = |archetype: &Archetype| archetype.end.div_ceil(PAGE_ROWS);
        self.release(0, needed(&self.list[0]) + 1, |page| taken.push(page));
        let used: usize = self.list.iter().map(needed).sum();
        let all: usize = self.list.iter().map(Archetype::page_count).sum();
        if all - used > used / 8 + 2 {
            for archetype in 1..self.list.len() {
                self.release(archetype, needed(&self.list[archetype]), |page| taken.push(page));
            }
        }
        taken.sort_unstable();
        if self.list.len() > 2 * self.with_pages + MOST {
            self.forget_empty();
        }
        taken
    }

    /// Forgets archetypes without pages, but the first one, and those that somebody was born into in this step: how many these
    /// were is asked again if the step has several refreshes. O(archetypes + pages).
    fn forget_empty(&mut self) {
        let mut numbers = vec![FREE; self.list.len()];
        let mut kept = 0;
        let mut number = 0..;
        self.list.retain(|archetype| {
            let this = number.next().unwrap_or(0);
            let stays = this == 0 || !archetype.pages.is_empty() || archetype.born > 0;
            if stays {
                numbers[this] = kept;
                kept += 1;
            }
            stays
        });
        for of_page in self.of_page.iter_mut().filter(|archetype| **archetype != FREE) {
            *of_page = numbers[*of_page as usize];
        }
        self.by_key.retain_mut(|(_, archetype)| {
            *archetype = numbers[*archetype as usize];
            *archetype != FREE
        });
    }

    /// Has the first archetype, of so many pages, be all there is, of whom so many live up to a row.
    fn unite(&mut self, pages: usize, count: usize, end: usize) {
        self.list.truncate(1);
        self.by_key.clear();
        self.of_page.clear();
        self.of_page.resize(pages, 0);
        let this = &mut self.list[0];
        this.pages.clear();
        this.pages.extend(0..pages as u32);
        *this = Archetype {
            pages: core::mem::take(&mut this.pages),
            count,
            end,
            ..Archetype::default()
        };
        self.gaps = end > count;
        self.with_pages = usize::from(pages > 0);
    }

    /// Becomes a copy of `from`, of whom so many live up to a row; one archetype, if there is to be only one.
    pub(super) fn copy(&mut self, from: &Self, count: usize, end: usize) {
        // (In a world of one archetype, how many pages it has is a matter of history.)
        if !self.several || !from.several {
            return self.unite(end.div_ceil(PAGE_ROWS), count, end);
        }
        self.list.resize_with(from.list.len(), Archetype::default);
        self.list.iter_mut().zip(&from.list).for_each(|(this, from)| this.copy(from));
        self.by_key.clone_from(&from.by_key);
        self.of_page.clone_from(&from.of_page);
        (self.gaps, self.spawns) = (from.gaps, from.spawns);
        self.with_pages = from.with_pages;
    }

    /// Puts in which page is whose, if there may be several archetypes.
    pub(super) fn state_hash(&self, hasher: &mut StateHasher) {
        if self.several {
            self.of_page.len().state_hash(hasher);
            for &archetype in &self.of_page {
                self.list.get(archetype as usize).map(|archetype| archetype.key).state_hash(hasher);
            }
        }
    }
}

#[cfg(test)]
mod tests;
