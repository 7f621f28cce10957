//! Moves pages of rows down, to pages that no archetype owns.
//!
//! After a peak, pages in use may lie behind many free ones. The table of rows, and saves, would stay as long as at the
//! peak.

use super::{Archetypes, FREE, exceed_margin};
use crate::entity::metadata::Entities;
use crate::entity::slots::Slot;
use crate::rows::{BLOCK_ROWS, BLOCKS_PER_PAGE, rows_of};

impl Entities {
    /// Moves the last pages of archetypes down to pages that no archetype owns, if those [exceed the
    /// margin](exceed_margin). `moved` is called with the old and the new row of each entity, in an order in which each new
    /// row is free. Then no page without an owner is left between others, so that a second call moves nothing.
    ///
    /// The pages of an archetype stay ascending. So of an archetype with several pages, entities may move to pages that
    /// others of it have just left. O(archetypes), and O(pages + moves) if pages are moved.
    pub(in crate::entity) fn move_pages_down(&mut self, moved: &mut impl FnMut(usize, usize)) {
        let (_, owned) = self.archetypes.pages();
        if !exceed_margin(self.archetypes.of_page.len() - owned, owned) {
            return;
        }
        let free = self.archetypes.free_pages();
        let Some(first) = self.archetypes.first_to_move(&free) else { return };
        // The lowest page that moves gets the lowest free one, and so on.
        let pages = first..self.archetypes.of_page.len() as u32;
        let moving: Vec<u32> =
            pages.filter(|&page| self.archetypes.of_page[page as usize] != FREE).collect();
        let target = |page: &u32| free[moving.partition_point(|other| other < page)];
        for number in 0..self.archetypes.list.len() {
            let archetype = self.archetypes.in_order(number);
            let old = self.archetypes.list[archetype].pages.clone();
            let stay = old.partition_point(|&page| page < first);
            if stay == old.len() {
                continue;
            }
            let mut new = old[..stay].to_vec();
            new.extend(old[stay..].iter().map(target));
            new.sort_unstable();
            for (&from, &to) in old.iter().zip(&new).filter(|(from, to)| from != to) {
                self.move_page(from as usize, to as usize, moved);
            }
            self.archetypes.replace_pages(archetype, &old[stay..], new);
        }
        self.archetypes.drop_last_free_pages();
    }

    /// Moves the entities of a page to a page without entities.
    fn move_page(&mut self, from: usize, to: usize, moved: &mut impl FnMut(usize, usize)) {
        for block in from * BLOCKS_PER_PAGE..(from + 1) * BLOCKS_PER_PAGE {
            let rows = self.alive.clear(block, u64::MAX);
            if rows == 0 {
                continue;
            }
            let target = block - from * BLOCKS_PER_PAGE + to * BLOCKS_PER_PAGE;
            self.alive.add(target, rows);
            for row in rows_of(block, rows) {
                let new = row - block * BLOCK_ROWS + target * BLOCK_ROWS;
                self.rows.swap(row, new);
                let entity = self.rows[new];
                self.slots.set(entity.index(), Slot::living(new, entity));
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

    /// The lowest page to move: each owned page from it on has a lower page to go to, among those that are free.
    fn first_to_move(&self, free: &[u32]) -> Option<u32> {
        let pages = (0..self.of_page.len() as u32).rev();
        let pairs =
            pages.filter(|&page| self.of_page[page as usize] != FREE).zip(free.iter().copied());
        pairs.take_while(|(last, free)| last > free).last().map(|(last, _)| last)
    }

    /// Makes `new` the pages of an archetype, as many as before, ascending. It loses those in `left`.
    fn replace_pages(&mut self, archetype: usize, left: &[u32], new: Vec<u32>) {
        for &page in left {
            self.of_page[page as usize] = FREE;
            self.released.push(page as usize);
        }
        for &page in &new {
            self.of_page[page as usize] = archetype as u32;
        }
        let this = &mut self.list[archetype];
        this.pages = new;
        if this.free_rows != 0 {
            // They may lie in a page that the archetype has lost.
            this.search_from(this.next_block - 1);
        }
    }
}
