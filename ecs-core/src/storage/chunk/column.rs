//! The values of one component in a chunk.

use core::marker::PhantomData;
use core::ops::Range;

use super::{BufferPart, Part};
use crate::entity::RowRanges;
use crate::signature::HasComponent;
use crate::storage::column::Column;
use crate::storage::presence::PresencePages;
use crate::storage::{BLOCK_ROWS, BLOCKS_PER_PAGE, PAGE_ROWS, Stored, end_of, layout_of};

/// The distance between two values of `C`; none if a strategy keeps them.
const fn stride_of<D: HasComponent<C>, C: 'static>() -> usize {
    match <D::Strategy as Stored<C>>::EXTERNAL {
        None => layout_of::<D>(<D as HasComponent<C>>::INDEX).stride,
        Some(_) => 0,
    }
}

/// The values of `C` in a chunk.
pub(crate) struct ChunkColumn<'s, C> {
    presence: PresencePages,
    buffer: BufferPart,
    stride: usize,
    index: u32,
    rows: Range<usize>,
    dirty: &'s mut Vec<(u32, u32)>,
    component: PhantomData<C>,
}

impl<'s, C: 'static> ChunkColumn<'s, C> {
    /// The values in these rows, all of which are one chunk's.
    ///
    /// # Panics
    /// If a strategy keeps them.
    #[inline]
    pub(super) fn new<D: HasComponent<C>>(
        part: &Part,
        rows: Range<usize>,
        dirty: &'s mut Vec<(u32, u32)>,
    ) -> Self {
        let Some(buffer) = part.buffer else { Column::of_another_kind() };
        Self {
            presence: part.presence,
            buffer,
            // A constant, so that the compiler sees a plain array where the component has a column.
            stride: const { stride_of::<D, C>() },
            index: <D as HasComponent<C>>::INDEX as u32,
            rows,
            dirty,
            component: PhantomData,
        }
    }

    /// Gives the row a value; returns the one that it had.
    ///
    /// # Panics
    /// If the row is another chunk's, or not in use.
    #[inline]
    pub(crate) fn insert(&mut self, row: usize, value: C) -> Option<C> {
        assert!(self.rows.contains(&row), "a row of another chunk");
        let new = self.add(row / BLOCK_ROWS, 1 << (row % BLOCK_ROWS));
        // SAFETY: the row is this chunk's.
        let place = unsafe { self.page(row / PAGE_ROWS).add(row % PAGE_ROWS * self.stride) };
        let place: *mut C = place.cast();
        if new != 0 {
            // SAFETY: the place is in the row's own memory at the offset that the layout keeps for `C`.
            // The row was not in the presence set, so no live value lies there.
            unsafe { place.write(value) };
            return None;
        }
        // SAFETY: as above, but a live `C` lies there; nobody else uses it, as the row is this chunk's.
        Some(unsafe { place.replace(value) })
    }

    /// Gives the row this value in place of the one that it has. Returns the value that is left over: the
    /// old one, or this one if the row has none.
    ///
    /// # Panics
    /// As [`insert`](Self::insert).
    #[inline]
    pub(crate) fn update(&mut self, row: usize, value: C) -> C {
        assert!(self.rows.contains(&row), "a row of another chunk");
        let page = row / PAGE_ROWS;
        // SAFETY: every presence set spans the pages of all chunks, and this page is this chunk's.
        let set = unsafe { self.presence.page(page) };
        if !set.contains(row % PAGE_ROWS) {
            return value;
        }
        // SAFETY: the row is this chunk's.
        let place = unsafe { self.page(page).add(row % PAGE_ROWS * self.stride) };
        // SAFETY: the place is in the row's own memory at the offset that the layout keeps for `C`. The row
        // is in the presence set, so a live `C` lies there; nobody else uses it, as the row is this
        // chunk's.
        unsafe { place.cast::<C>().replace(value) }
    }

    /// Takes the value out of the row.
    ///
    /// # Panics
    /// As [`insert`](Self::insert).
    #[inline]
    pub(crate) fn remove(&mut self, row: usize) -> Option<C> {
        assert!(self.rows.contains(&row), "a row of another chunk");
        let page = row / PAGE_ROWS;
        // SAFETY: every presence set spans the pages of all chunks, and this page is this chunk's.
        let mut set = unsafe { self.presence.page(page) };
        let (taken, first) = set.clear(row / BLOCK_ROWS % BLOCKS_PER_PAGE, 1 << (row % BLOCK_ROWS));
        if first {
            self.dirty.push((self.index, page as u32));
        }
        if taken == 0 {
            return None;
        }
        // SAFETY: the row is this chunk's.
        let place = unsafe { self.page(page).add(row % PAGE_ROWS * self.stride) };
        // SAFETY: the row was in the presence set, so a live `C` lies there; now that it is out, nobody
        // will read or drop it again, so it may move out.
        Some(unsafe { place.cast::<C>().read() })
    }

    /// Gives rows of a block a value each, from the lowest row on. Values that they had are forgotten.
    ///
    /// # Panics
    /// If `C` has something to drop; if a row is another chunk's, or not in use; if there are too few values.
    #[inline]
    pub(crate) fn overwrite(
        &mut self,
        block: usize,
        rows: u64,
        mut values: impl Iterator<Item = C>,
    ) {
        self.assert_has(block, rows);
        let first = block % BLOCKS_PER_PAGE * BLOCK_ROWS;
        let places = self.places(block / BLOCKS_PER_PAGE);
        let mut left = rows;
        while left != 0 {
            let Some(value) = values.next() else { too_few() };
            // SAFETY: the row is this chunk's; and no value that is overwritten has anything to drop.
            unsafe { places.write(first + left.trailing_zeros() as usize, value) };
            left &= left - 1;
        }
        self.add(block, rows);
    }

    /// Has rows of a block have no value. Values that they had are forgotten, as with
    /// [`overwrite`](Self::overwrite).
    ///
    /// # Panics
    /// If `C` has something to drop, or a row is another chunk's, or not in use.
    #[inline]
    pub(crate) fn forget(&mut self, block: usize, rows: u64) {
        self.assert_has(block, rows);
        let page = block / BLOCKS_PER_PAGE;
        // SAFETY: every presence set spans the pages of all chunks, and this page is this chunk's.
        if unsafe { self.presence.page(page) }.clear(block % BLOCKS_PER_PAGE, rows).1 {
            self.dirty.push((self.index, page as u32));
        }
    }

    fn assert_has(&self, block: usize, rows: u64) {
        assert!(!core::mem::needs_drop::<C>(), "a value would be lost");
        let end = end_of(block, rows);
        assert!(
            self.rows.contains(&(block * BLOCK_ROWS)) && end <= self.rows.end,
            "rows of another chunk"
        );
    }

    /// The places of a page's rows, some of which are in use.
    ///
    /// # Panics
    /// If the page is another chunk's, or none of its rows is in use.
    #[inline]
    pub(crate) fn places(&mut self, page: usize) -> PageValues<C> {
        assert!(self.rows.contains(&(page * PAGE_ROWS)), "rows of another chunk");
        PageValues { first: self.page(page), stride: self.stride, of: PhantomData }
    }

    /// Rows of one page have a value from here on.
    ///
    /// # Safety
    /// The rows are this chunk's and in use, and a value was [written](PageValues::write) for each of them.
    #[inline]
    pub(crate) unsafe fn publish(&mut self, ranges: RowRanges<'_>) {
        let page = ranges.page();
        // SAFETY: every presence set spans the pages of all chunks, and this page is this chunk's.
        if unsafe { self.presence.page(page) }.add_each(ranges.iter()) {
            self.dirty.push((self.index, page as u32));
        }
    }

    /// Adds rows of a block of this chunk to the presence set; those that are new.
    #[inline]
    fn add(&mut self, block: usize, rows: u64) -> u64 {
        let page = block / BLOCKS_PER_PAGE;
        // SAFETY: every presence set spans the pages of all chunks, and this page is this chunk's.
        let (new, first) = unsafe { self.presence.page(page) }.add(block % BLOCKS_PER_PAGE, rows);
        if first {
            self.dirty.push((self.index, page as u32));
        }
        new
    }

    /// Start of the values in a page of this chunk with a row in use, which is made if need be.
    #[inline]
    fn page(&mut self, page: usize) -> *mut u8 {
        let BufferPart { pages, new, offset, .. } = self.buffer;
        // SAFETY: the table of pages spans all rows in use, and this page is this chunk's.
        let start = unsafe { &mut *pages.wrapping_add(page) };
        if start.is_null() {
            *start = new.allocate();
        }
        start.wrapping_add(offset)
    }
}

#[cold]
fn too_few() -> ! {
    panic!("a row was to have a value, and there is none")
}

/// Where the values of a page's rows lie, or would lie.
#[derive(Debug)]
pub(crate) struct PageValues<C> {
    first: *mut u8,
    stride: usize,
    of: PhantomData<C>,
}

impl<C> PageValues<C> {
    /// Writes a value for the row at `offset` in the page, without dropping anything.
    ///
    /// # Safety
    /// The offset is that of a row of the page, whose chunk is still at hand.
    #[inline(always)]
    pub(crate) unsafe fn write(&self, offset: usize, value: C) {
        // SAFETY: the row lies in the page, which is one allocation.
        let place = unsafe { self.first.add(offset * self.stride) };
        // SAFETY: the place is in the row's own memory at the offset that the layout keeps for `C`.
        unsafe { place.cast::<C>().write(value) };
    }
}
