//! Memory that is given back after a peak.

use super::{BLOCKS_PER_PAGE, PAGE_ROWS, STRETCH_ROWS, Storage};

impl Storage {
    /// Frees the pages in which no row is in use any more, if that is worth it; how many blocks of rows
    /// are left then. Under a fixed limit nothing is freed.
    ///
    /// Rows in use are the first ones, but for some gaps, so empty pages are the last ones. As many stay as an
    /// eighth of those in use, and one, or the rest of the last stretch, if that is more: who grows and shrinks
    /// within that takes no memory anew.
    /// No presence may be dirty. O(1) if nothing is freed, else O(pages × components).
    pub(crate) fn free_surplus(&mut self) -> Option<usize> {
        let used = self.entities.rows().len().div_ceil(PAGE_ROWS);
        let in_stretch = STRETCH_ROWS / PAGE_ROWS;
        let pages = (used + used / 8 + 1).max(used.next_multiple_of(in_stretch));
        // Whatever has a page for a row has had a living entity there, in the stretch at least.
        let there_are = self.entities.alive().page_count();
        if there_are <= pages.next_multiple_of(in_stretch) || self.entities.is_fixed() {
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
        Some(pages * BLOCKS_PER_PAGE)
    }
}
