//! Moves pages of rows down, to pages that no archetype owns.
//!
//! After a peak, the pages that are left may be the last ones. Tables by row, and saves, would stay as long as they were,
//! with free rows only between them.

use super::archetypes::{Archetypes, FREE, are_many};
use super::metadata::Entities;
use super::slots::Slot;
use crate::rows::{BLOCK_ROWS, BLOCKS_PER_PAGE, rows_of};

impl Entities {
    /// Moves the entities of the last pages to lower pages that no archetype owns, if there are [many](are_many). Those
    /// have been free since an earlier refresh, which has given back the memory of their values. `moved` is called with
    /// the old and the new row of each entity, in an order in which each new row is free.
    ///
    /// The pages of an archetype stay ascending. So of an archetype with several pages, entities may move to pages that
    /// others of it have just left. O(archetypes), and O(pages + moves) if pages are moved.
    pub(super) fn move_pages_down(&mut self, moved: &mut impl FnMut(usize, usize)) {
        let (used, owned) = self.archetypes.pages();
        let pages = self.archetypes.of_page.len();
        if !are_many(pages - owned, used) {
            return;
        }
        let mut free = self.archetypes.free_pages().into_iter();
        let first = self.archetypes.first_to_move(free.as_slice());
        for number in 0..self.archetypes.list.len() {
            // In this order, so that it does not depend on the past which archetype gets which page.
            let archetype = self.archetypes.in_order(number);
            let needed = self.archetypes.list[archetype].needed();
            let old = self.archetypes.list[archetype].pages[..needed].to_vec();
            let stay = old.partition_point(|&page| page < first);
            let mut new = old[..stay].to_vec();
            new.extend(free.by_ref().take(needed - stay));
            if stay == needed {
                continue;
            }
            new.sort_unstable();
            for (&from, &to) in old.iter().zip(&new).filter(|(from, to)| from != to) {
                self.move_page(from as usize, to as usize, moved);
            }
            self.archetypes.replace_pages(archetype, &old[stay..], &new);
        }
        while self.archetypes.of_page.last() == Some(&FREE) {
            self.archetypes.of_page.pop();
        }
    }

    /// Moves the entities of a page to a page without entities.
    fn move_page(&mut self, from: usize, to: usize, moved: &mut impl FnMut(usize, usize)) {
        for block in from * BLOCKS_PER_PAGE..(from + 1) * BLOCKS_PER_PAGE {
            let rows = self.alive.clear(block, u64::MAX);
            let target = block - from * BLOCKS_PER_PAGE + to * BLOCKS_PER_PAGE;
            self.alive.add(target, rows);
            for row in rows_of(block, rows) {
                let new = row - block * BLOCK_ROWS + target * BLOCK_ROWS;
                self.rows.swap(row, new);
                let entity = self.rows[new];
                self.slots[entity.index() as usize] = Slot::living(new, entity);
                moved(row, new);
            }
        }
    }
}

impl Archetypes {
    /// The pages that no archetype owns, ascending.
    fn free_pages(&self) -> Vec<u32> {
        let pages = (0_u32..).zip(&self.of_page);
        pages.filter(|(_, owner)| **owner == FREE).map(|(page, _)| page).collect()
    }

    /// The page from which on all pages with rows in use are to be moved, as for each of them there is a lower page among
    /// those that are free.
    fn first_to_move(&self, free: &[u32]) -> u32 {
        let all = self.list.iter().flat_map(|archetype| &archetype.pages[..archetype.needed()]);
        let mut used: Vec<u32> = all.copied().collect();
        used.sort_unstable();
        let pairs = used.iter().rev().zip(free);
        pairs.take_while(|(last, free)| last > free).last().map_or(FREE, |(last, _)| *last)
    }

    /// Replaces the pages of an archetype that are in use by as many others, ascending, of which it had all but those of
    /// `left`.
    fn replace_pages(&mut self, archetype: usize, left: &[u32], new: &[u32]) {
        for &page in left {
            self.of_page[page as usize] = FREE;
            self.vacated.push(page as usize);
        }
        for &page in new {
            self.of_page[page as usize] = archetype as u32;
        }
        let this = &mut self.list[archetype];
        this.pages[..new.len()].copy_from_slice(new);
        if this.free_rows != 0 {
            // Those were found in a page that may have moved.
            this.search_from(this.next_block - 1);
        }
    }
}
