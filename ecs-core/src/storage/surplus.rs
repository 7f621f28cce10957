//! Memory that is given back after a peak.

use super::{CHUNK_ROWS, PAGE_ROWS, Storage};

/// What became free: for subscriptions to free theirs.
#[derive(Debug)]
pub(crate) struct Surplus {
    /// Pages between others.
    pub(crate) between: Vec<usize>,
    /// From this page on, all.
    pub(crate) end: Option<usize>,
}

impl Storage {
    /// Frees the pages in which no row is in use any more, if that is worth it. Under a fixed limit nothing is freed.
    ///
    /// Rows in use are the first ones, but for some gaps, so empty pages are the last ones. As many stay as an
    /// eighth of those in use, and one, or the rest of the last chunk, if that is more: who grows and shrinks
    /// within that takes no memory anew. Where rows lie by archetype, there are empty pages between others, too: see
    /// [`take_surplus`](crate::entity::Entities::take_surplus).
    ///
    /// No presence may be dirty. O(archetypes) if nothing is freed, else O(pages × components).
    pub(crate) fn free_surplus(&mut self) -> Surplus {
        let between = self.entities.take_surplus();
        for &page in &between {
            self.entities.alive_mut().free_page(page);
            for column in self.columns.iter_mut() {
                column.presence.free_page(page);
            }
            self.buffers.iter_mut().for_each(|buffer| buffer.free_page(page));
        }
        Surplus { between, end: self.free_last_pages() }
    }

    fn free_last_pages(&mut self) -> Option<usize> {
        let used = self.entities.page_count();
        let in_chunk = CHUNK_ROWS / PAGE_ROWS;
        let pages = (used + used / 8 + 1).max(used.next_multiple_of(in_chunk));
        // Whatever has a page for a row has had a living entity there, in the chunk at least.
        let there_are = self.entities.alive().page_count();
        if there_are <= pages.next_multiple_of(in_chunk) || self.entities.is_fixed() {
            return None;
        }
        self.entities.free_pages(pages);
        for column in self.columns.iter_mut() {
            // Together with the values: nothing may be present in a page that is not there.
            column.presence.truncate(pages);
        }
        for buffer in &mut self.buffers {
            buffer.truncate(pages);
        }
        Some(pages)
    }
}
