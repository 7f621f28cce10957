//! Frees memory after a peak.

use super::{BLOCKS_PER_PAGE, CHUNK_ROWS, PAGE_ROWS, Storage, Values};
use crate::rows::PageWords;
use crate::types::IndexSet;

/// The pages that were freed, for which subscriptions free theirs.
pub(crate) struct Surplus {
    /// Pages between others.
    pub(crate) between: Vec<usize>,
    /// The first of the freed pages at the end, if there are any.
    pub(crate) end: Option<usize>,
}

impl Storage {
    /// Frees pages without rows in use, with the memory of their values, if there are enough of them.
    /// Under a fixed limit nothing is freed.
    ///
    /// Rows in use come first, except for some gaps, so empty pages come last. The storage keeps
    /// empty pages as a margin: an eighth of the pages in use plus one, or the rest of the last
    /// chunk, if that is more. A world whose size varies within the margin allocates nothing anew.
    /// With rows by archetype, so are pages that archetypes have lost in this refresh. If entities of
    /// another archetype have moved to such a page, the memory of components that they lack is freed.
    ///
    /// `moves` entities were moved before. No presence may be dirty. O(archetypes) if nothing is freed, else O(pages × components).
    pub(crate) fn free_surplus(&mut self, moves: usize) -> Surplus {
        let mut between = self.entities.as_same().take_released_pages();
        if !between.is_empty() {
            between.retain(|&page| self.free_page(page));
            // After a peak, rows behind the last one of an archetype still have memory, too.
            for rows in self.entities.free_ends() {
                self.buffers.iter_mut().for_each(|buffer| buffer.free_rows(rows.clone()));
            }
        }
        self.entities.as_same().maintain_slots(moves);
        Surplus { between, end: self.free_last_pages() }
    }

    /// Frees the memory of a page for all components that no entity has there. Returns whether no
    /// entity is there at all.
    fn free_page(&mut self, page: usize) -> bool {
        let is_empty = |words: &PageWords| *words == [0; BLOCKS_PER_PAGE];
        let mut used = IndexSet::EMPTY;
        for column in self.columns.iter_mut() {
            if is_empty(column.presence.page_words(page)) {
                column.presence.free_page(page);
            } else if let Values::Buffered { buffer, .. } = column.values {
                used = used.with(buffer);
            }
        }
        for (buffer, memory) in self.buffers.iter_mut().enumerate() {
            if !used.contains(buffer) {
                memory.free_page(page);
            }
        }
        let is_empty = is_empty(self.entities.alive().page_words(page));
        if is_empty {
            self.entities.alive_mut().free_page(page);
        }
        is_empty
    }

    fn free_last_pages(&mut self) -> Option<usize> {
        let used = self.entities.page_count();
        let in_chunk = CHUNK_ROWS / PAGE_ROWS;
        let pages = (used + used / 8 + 1).max(used.next_multiple_of(in_chunk));
        // Every table with a page has had an entity in the same chunk, so the set of entities has
        // at least as many chunks.
        let there_are = self.entities.alive().page_count();
        if there_are <= pages.next_multiple_of(in_chunk) || self.entities.is_fixed() {
            return None;
        }
        self.entities.free_pages(pages);
        for column in self.columns.iter_mut() {
            // Truncated together with the values: no row may be present that there is no memory for.
            column.presence.truncate(pages);
        }
        self.truncate_marks(pages * BLOCKS_PER_PAGE);
        for buffer in self.buffers.iter_mut() {
            buffer.truncate(pages * PAGE_ROWS);
        }
        Some(pages)
    }
}
