//! The *archetypes* of entities, and the pages of rows that each archetype owns.
//!
//! By default a world has one archetype, which owns all rows. With rows by archetype
//! ([`ByArchetype`](crate::settings::ByArchetype)), the archetype of an entity is the set of
//! components that it is spawned with. Each archetype owns pages of its own: a page needs memory
//! for hardly any components but those of its archetype, and the entities that match a system lie
//! side by side. Rows do not move when components change.

mod move_pages;

use super::slots::MAX_ENTITIES;
use crate::rows::{BLOCK_ROWS, BLOCKS_PER_PAGE, PAGE_ROWS};
#[cfg(feature = "serde")]
use crate::rows::{Presence, end_of};
#[cfg(feature = "serde")]
use crate::types::bytes::Fault;
use crate::types::{StateHash, StateHasher};

/// Once more than this many archetypes own pages, further ones share the pages of the first.
const MOST: usize = 1024;

/// Marks a page that no archetype owns.
const FREE: u32 = u32::MAX;

/// Whether unused pages exceed the margin: an eighth of the pages in use, plus two.
fn exceed_margin(unused: usize, used: usize) -> bool {
    unused > used / 8 + 2
}

/// The rows of one archetype.
///
/// A *position* is the number of a row within the archetype, counted as if its pages lay side by
/// side in ascending order. In a world of one archetype, rows and positions are equal.
#[derive(Clone, Debug, Default)]
pub(super) struct Archetype {
    /// The components that its entities are spawned with, as a
    /// [key](crate::types::IndexSet::key).
    pub(super) key: u64,
    /// The pages that it owns, ascending.
    pub(super) pages: Vec<u32>,
    /// The position, in blocks, of the block to search next. Before it, only `free_rows` are free.
    pub(super) next_block: usize,
    /// Free rows of `block`, the last block that was searched.
    pub(super) free_rows: u64,
    /// The number of the block that was searched last.
    pub(super) block: usize,
    /// All rows from this position on are free.
    pub(super) end: usize,
    /// Rows in use or withheld.
    pub(super) count: usize,
    /// Entities spawned in this step before the despawned rows were freed.
    pub(super) spawned: usize,
}

impl Archetype {
    /// The row at a position.
    #[inline]
    pub(super) fn row(&self, position: usize) -> usize {
        self.pages[position / PAGE_ROWS] as usize * PAGE_ROWS + position % PAGE_ROWS
    }

    /// The block at a position in blocks; `None` beyond the last page.
    #[inline]
    pub(super) fn block_at(&self, block: usize) -> Option<usize> {
        let page = *self.pages.get(block / BLOCKS_PER_PAGE)? as usize;
        Some(page * BLOCKS_PER_PAGE + block % BLOCKS_PER_PAGE)
    }

    /// The lowest of the free rows that the search found.
    pub(super) fn first_free_row(&self) -> usize {
        self.block * BLOCK_ROWS + self.free_rows.trailing_zeros() as usize
    }

    /// The number of its pages up to the last row in use.
    pub(super) fn needed(&self) -> usize {
        self.end.div_ceil(PAGE_ROWS)
    }

    /// Takes the lowest of the free rows that the search found.
    #[inline(always)]
    pub(super) fn take_free_row(&mut self) -> usize {
        debug_assert!(self.free_rows != 0, "free rows were searched");
        let bit = self.free_rows.trailing_zeros() as usize;
        self.free_rows &= self.free_rows.wrapping_sub(1);
        self.block * BLOCK_ROWS + bit
    }

    /// Like [`take_free_row`](Self::take_free_row), and counts the row as in use.
    #[inline(always)]
    pub(super) fn occupy_free_row(&mut self) -> usize {
        let row = self.take_free_row();
        let position = (self.next_block - 1) * BLOCK_ROWS + row % BLOCK_ROWS;
        self.end = self.end.max(position + 1);
        self.count += 1;
        row
    }

    /// Restarts the search for free rows at the block at this position, if the search is already
    /// past it.
    #[inline]
    pub(super) fn search_from(&mut self, block: usize) {
        if block < self.next_block {
            self.next_block = block;
            self.free_rows = 0;
        }
    }

    fn copy(&mut self, from: &Self) {
        let mut pages = core::mem::take(&mut self.pages);
        pages.clone_from(&from.pages);
        *self = Self { pages, ..*from };
    }
}

/// All archetypes and all pages.
#[derive(Debug)]
pub(super) struct Archetypes {
    pub(super) list: Vec<Archetype>,
    /// The keys of all archetypes but the first, ascending, with their indices in `list`.
    by_key: Vec<(u64, u32)>,
    /// The archetype that owns each page. The last page always has an owner.
    pub(super) of_page: Vec<u32>,
    /// The number of archetypes that own pages.
    with_pages: usize,
    /// Whether there may be more than one archetype.
    pub(super) several: bool,
    /// Whether an archetype may have free rows before rows in use.
    pub(super) gaps: bool,
    /// Whether spawns of any archetype were counted in this step.
    pub(super) spawns: bool,
    /// Pages that archetypes have lost in this refresh.
    pub(super) released: Vec<usize>,
}

impl Archetypes {
    /// Creates a single archetype or, with `several`, one for each set of components that entities
    /// are spawned with. Reserves room for the pages of `rows` rows.
    pub(super) fn new(several: bool, rows: usize) -> Self {
        let pages = rows.div_ceil(PAGE_ROWS);
        let first = Archetype { pages: Vec::with_capacity(pages), ..Archetype::default() };
        let of_page = Vec::with_capacity(pages);
        let (list, by_key) = (vec![first], Vec::new());
        let released = Vec::new();
        Self { list, by_key, of_page, with_pages: 0, several, gaps: false, spawns: false, released }
    }

    /// The archetype for the components of a [key](crate::types::IndexSet::key). It is the
    /// first one if more than [`MOST`] archetypes own pages and this one owns none. O(log
    /// archetypes), amortized.
    #[inline]
    pub(super) fn of(&mut self, key: u64) -> usize {
        // (Entities without components belong to the first archetype.)
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
        // (The result must not depend on archetypes that own no pages: they are no part of the
        // world's state.)
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

    /// An archetype, to count spawns that come before the despawned rows are freed.
    #[inline(always)]
    pub(super) fn for_spawns(&mut self, archetype: usize) -> &mut Archetype {
        self.spawns = true;
        &mut self.list[archetype]
    }

    /// The archetype with this number in an order that does not depend on when archetypes were
    /// added.
    pub(super) fn in_order(&self, number: usize) -> usize {
        number.checked_sub(1).map_or(0, |number| self.by_key[number].1 as usize)
    }

    /// The block to search next for free rows of an archetype. At the end of its pages the
    /// archetype gets another page. `None` if no further page is possible.
    #[inline]
    pub(super) fn next_block(&mut self, archetype: usize) -> Option<usize> {
        let this = &self.list[archetype];
        this.block_at(this.next_block).or_else(|| self.add_page(archetype))
    }

    /// Gives an archetype the lowest unowned page after its own pages. Returns the page's first
    /// block.
    #[cold]
    fn add_page(&mut self, archetype: usize) -> Option<usize> {
        let this = &mut self.list[archetype];
        let behind = this.pages.last().map_or(0, |&last| last + 1);
        let found = self.of_page[behind as usize..].iter().position(|&other| other == FREE);
        let page = found.map_or(self.of_page.len(), |free| behind as usize + free);
        if page == self.of_page.len() {
            // With several archetypes, rows are not contiguous and may run out before the limit is
            // reached.
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

    /// The archetype that owns a page in which rows are freed, and the position of the page's first
    /// block in the archetype.
    ///
    /// # Panics
    /// If no archetype owns the page.
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

    /// Takes all but the first `needed` pages from an archetype and passes them to `taken`. None of
    /// their rows may be in use.
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
        self.drop_last_free_pages();
    }

    /// Forgets the pages behind the last one that an archetype owns.
    pub(super) fn drop_last_free_pages(&mut self) {
        while self.of_page.last() == Some(&FREE) {
            self.of_page.pop();
        }
    }

    /// Notes whether any gaps remain after gaps were closed. Returns the row after the last row in
    /// use.
    pub(super) fn note_gaps(&mut self) -> usize {
        self.gaps = self.list.iter().any(|archetype| archetype.end > archetype.count);
        let ends = self.list.iter().filter(|archetype| archetype.end > 0);
        ends.map(|archetype| archetype.row(archetype.end - 1) + 1).max().unwrap_or(0)
    }

    /// The number of pages with rows in use, and of those that archetypes own. O(archetypes).
    pub(super) fn pages(&self) -> (usize, usize) {
        let each = self.list.iter().map(|archetype| (archetype.needed(), archetype.pages.len()));
        each.fold((0, 0), |all, one| (all.0 + one.0, all.1 + one.1))
    }

    /// Takes all empty pages of the first archetype if there are several, and those of all others if they [exceed the
    /// margin](exceed_margin).
    ///
    /// Entities that are spawned without components lie in the first archetype until the refresh. They may have got any components
    /// there, so all columns may have memory in its pages. One empty page of it stays, so that a step that spawns few of these entities
    /// frees nothing.
    ///
    /// A page that passes from one archetype to another thus keeps no memory of the first one's
    /// components, and an archetype whose size varies within the margin allocates nothing anew.
    /// O(archetypes) if nothing is taken.
    pub(super) fn release_surplus(&mut self) {
        let mut released = core::mem::take(&mut self.released);
        let needed = self.list[0].needed();
        if self.list[0].pages.len() > needed + 1 {
            self.release(0, needed, |page| released.push(page));
        }
        let (used, all) = self.pages();
        if exceed_margin(all - used, used) {
            for archetype in 1..self.list.len() {
                let needed = self.list[archetype].needed();
                self.release(archetype, needed, |page| released.push(page));
            }
        }
        self.released = released;
        if self.list.len() > 2 * self.with_pages + MOST {
            self.forget_empty();
        }
    }

    /// The pages that archetypes have lost since the last call, ascending. Some may have got another
    /// owner.
    pub(super) fn take_released(&mut self) -> Vec<usize> {
        let mut released = core::mem::take(&mut self.released);
        released.sort_unstable();
        released.dedup();
        released
    }

    /// Forgets archetypes without pages, except the first one and those with spawns in this step:
    /// further refreshes of the step ask for the number of these spawns. O(archetypes + pages).
    fn forget_empty(&mut self) {
        let mut numbers = vec![FREE; self.list.len()];
        let mut kept = 0;
        let mut number = 0..;
        self.list.retain(|archetype| {
            let this = number.next().unwrap_or(0);
            let stays = this == 0 || !archetype.pages.is_empty() || archetype.spawned > 0;
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

    /// Makes the first archetype own all of the `pages` pages, with `count` rows in use, the last
    /// one before row `end`.
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

    /// Whether they are as those of a copy of a world of one archetype, in which the last row in use is before row `end`.
    pub(super) fn are_united(&self, end: usize) -> bool {
        self.list.len() == 1 && self.of_page.len() == end.div_ceil(PAGE_ROWS)
    }

    /// Becomes a copy of `from`, which has `count` rows in use, the last one before row `end`. If
    /// either of the two allows one archetype only, the copy has one.
    pub(super) fn copy(&mut self, from: &Self, count: usize, end: usize) {
        // (In a world of one archetype, the number of pages depends on the past.)
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

    /// The key of the archetype that owns each page, if there may be several archetypes.
    #[cfg(feature = "serde")]
    pub(super) fn owners(&self) -> impl Iterator<Item = Option<u64>> {
        let pages = if self.several { &self.of_page[..] } else { &[] };
        pages.iter().map(|&owner| self.list.get(owner as usize).map(|archetype| archetype.key))
    }

    /// Makes each page that of the archetype with its key, if there are keys. `self` is new. Of the rows in use there are `count`,
    /// the last one before row `end`.
    #[cfg(feature = "serde")]
    pub(super) fn load(
        &mut self,
        owners: Option<&Vec<Option<u64>>>,
        alive: &Presence,
        count: usize,
        end: usize,
    ) -> Result<(), Fault> {
        // As in `copy`.
        let Some(owners) = owners.filter(|_| self.several) else {
            self.unite(end.div_ceil(PAGE_ROWS), count, end);
            return Ok(());
        };
        if owners.len() > MAX_ENTITIES / PAGE_ROWS {
            return Err(Fault::new("there are more pages than any world has"));
        }
        let mut keys: Vec<u64> = owners.iter().flatten().copied().filter(|&key| key != 0).collect();
        keys.sort_unstable();
        keys.dedup();
        if keys.len() > MOST + 1 {
            return Err(Fault::new("there are more archetypes than any world has"));
        }
        self.list.extend(keys.iter().map(|&key| Archetype { key, ..Archetype::default() }));
        self.by_key = keys.into_iter().zip(1..).collect();
        let mut found = 0;
        for (page, owner) in owners.iter().enumerate() {
            let Some(key) = *owner else {
                self.of_page.push(FREE);
                continue;
            };
            let archetype = self.by_key.binary_search_by_key(&key, |&(key, _)| key);
            let archetype = archetype.map_or(0, |found| self.by_key[found].1 as usize);
            self.of_page.push(archetype as u32);
            let this = &mut self.list[archetype];
            this.pages.push(page as u32);
            for block in 0..BLOCKS_PER_PAGE {
                let rows = alive.word(page * BLOCKS_PER_PAGE + block);
                if rows != 0 {
                    this.end = end_of((this.pages.len() - 1) * BLOCKS_PER_PAGE + block, rows);
                    this.count += rows.count_ones() as usize;
                    found += rows.count_ones() as usize;
                }
            }
        }
        if found != count || owners.last().is_some_and(Option::is_none) {
            return Err(Fault::new("entities lie in pages without an archetype"));
        }
        self.with_pages = self.list.iter().filter(|archetype| !archetype.pages.is_empty()).count();
        // Whether a refresh has something to do. (It may be a save of an earlier version.)
        let (used, all) = self.pages();
        let free = self.of_page.len() - all;
        self.gaps = self.list.iter().any(|archetype| archetype.end > archetype.count)
            || exceed_margin(all - used, used)
            || exceed_margin(free, all);
        Ok(())
    }

    /// Hashes which archetype owns each page, if there may be several archetypes.
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
