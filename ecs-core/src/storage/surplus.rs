//! Frees memory after a peak.

use super::{BLOCKS_PER_PAGE, CHUNK_ROWS, PAGE_ROWS, Storage};

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
    /// With rows by archetype there are also empty pages between others: see
    /// [`take_surplus`](crate::entity::Entities::take_surplus).
    ///
    /// No presence may be dirty. O(archetypes) if nothing is freed, else O(pages × components).
    pub(crate) fn free_surplus(&mut self) -> Surplus {
        let between = self.entities.as_same().take_surplus();
        for &page in &between {
            self.entities.alive_mut().free_page(page);
            for column in self.columns.iter_mut() {
                column.presence.free_page(page);
            }
            self.buffers.iter_mut().for_each(|buffer| buffer.free_page(page));
        }
        if !between.is_empty() {
            // After a peak, rows behind the last one of an archetype still have memory, too.
            for rows in self.entities.free_ends() {
                self.buffers.iter_mut().for_each(|buffer| buffer.free_rows(rows.clone()));
            }
        }
        Surplus { between, end: self.free_last_pages() }
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
