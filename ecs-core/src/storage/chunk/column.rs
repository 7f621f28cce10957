//! The values of one component in a chunk.

use core::marker::PhantomData;
use core::ops::Range;

use super::{BufferTables, ColumnTables, removed_of};
use crate::entity::{RowRanges, Tables};
use crate::rows::{BLOCK_ROWS, BLOCKS_PER_PAGE, PAGE_ROWS, PresencePage, PresencePages, end_of};
use crate::storage::column::Column;
use crate::storage::removals::Removals;
use crate::storage::tracking::has_versions;
use crate::storage::{HasColumn, Lanes, Stored, Versions, layout_of};

/// The distance between two values of `C`, in bytes; 0 in external storage.
const fn stride_of<D: HasColumn<C>, C: 'static>() -> usize {
    match <D::Strategy as Stored<C>>::EXTERNAL {
        None => layout_of::<D>(<D as HasColumn<C>>::INDEX).stride,
        Some(_) => 0,
    }
}

/// The values of `C` in a chunk.
pub(crate) struct ChunkColumn<'s, D, C> {
    presence: PresencePages,
    buffer: BufferTables,
    stride: usize,
    index: u32,
    /// The rows of the chunk that are in use.
    rows: Range<usize>,
    /// Those of them that there is memory for.
    reserved: Range<usize>,
    dirty: &'s mut Vec<(u32, u32)>,
    lanes: &'s Lanes,
    versions: &'s Versions,
    /// The removed values of the chunk, by column, the entities of its rows, and which of them are alive.
    removed: (&'s mut Vec<(u32, Removals)>, Tables, PresencePages),
    component: PhantomData<(D, C)>,
}

impl<'s, D: HasColumn<C>, C: 'static> ChunkColumn<'s, D, C> {
    /// The values in `rows`, all of which belong to one chunk.
    ///
    /// # Panics
    /// If the values are in external storage.
    #[inline]
    pub(super) fn new(
        table: &ColumnTables,
        rows: Range<usize>,
        (lanes, versions): (&'s Lanes, &'s Versions),
        dirty: &'s mut Vec<(u32, u32)>,
        removed: (&'s mut Vec<(u32, Removals)>, Tables, PresencePages),
    ) -> Self {
        let Some(buffer) = table.buffer else { Column::of_another_kind() };
        Self {
            presence: table.presence,
            buffer,
            // A constant, so that the compiler sees a plain array if the component has a column of
            // its own.
            stride: const { stride_of::<D, C>() },
            index: <D as HasColumn<C>>::INDEX as u32,
            reserved: rows.start..rows.end.min(buffer.rows),
            rows,
            dirty,
            lanes,
            versions,
            removed,
            component: PhantomData,
        }
    }

    /// Inserts a value into the row and returns the old one.
    ///
    /// # Panics
    /// If the row belongs to another chunk or is not in use, or no
    /// [memory](super::Storage::reserve_values) was reserved.
    #[inline]
    pub(crate) fn insert(&mut self, row: usize, value: C) -> Option<C> {
        assert!(self.reserved.contains(&row), "a row of another chunk, or without memory");
        let new = self.add(row / BLOCK_ROWS, 1 << (row % BLOCK_ROWS));
        self.mark(row / BLOCK_ROWS, 1 << (row % BLOCK_ROWS), new);
        let place = self.place(row);
        if new != 0 {
            // SAFETY: the address is in the row's own memory at the offset that the layout reserves
            // for `C`. The row was not in the presence set, so no live value lies there.
            unsafe { place.write(value) };
            return None;
        }
        // SAFETY: as above, but a live `C` lies there. The row belongs to this chunk, so nothing
        // else uses it.
        Some(unsafe { place.replace(value) })
    }

    /// The value of the row, to change, if it has one.
    ///
    /// # Panics
    /// As [`insert`](Self::insert).
    #[inline]
    pub(crate) fn get_mut(&mut self, row: usize) -> Option<&mut C> {
        assert!(self.rows.contains(&row), "a row of another chunk");
        if !self.set(row / PAGE_ROWS).contains(row % PAGE_ROWS) {
            return None;
        }
        self.mark(row / BLOCK_ROWS, 1 << (row % BLOCK_ROWS), 0);
        // SAFETY: the address is in the row's own memory at the offset that the layout reserves for
        // `C`. The row is in the presence set, so a live `C` lies there. The row belongs to this
        // chunk, which the result borrows, so nothing else uses it.
        Some(unsafe { &mut *self.place(row) })
    }

    /// Replaces the value of the row, if it has one. Returns the value that is left over: the old
    /// one, or `value` if the row has none.
    ///
    /// # Panics
    /// As [`insert`](Self::insert).
    #[inline]
    pub(crate) fn update(&mut self, row: usize, value: C) -> C {
        match self.get_mut(row) {
            Some(place) => core::mem::replace(place, value),
            None => value,
        }
    }

    /// Removes the value of the row. It is returned, unless it is kept for systems that read what was removed.
    ///
    /// # Panics
    /// As [`insert`](Self::insert).
    #[inline]
    pub(crate) fn remove(&mut self, row: usize) -> Option<C> {
        assert!(self.rows.contains(&row), "a row of another chunk");
        if self.clear(row / BLOCK_ROWS, 1 << (row % BLOCK_ROWS)) == 0 {
            return None;
        }
        // SAFETY: the row was in the presence set, so a live `C` lies there. The row has left the
        // set, so the value will not be read or dropped again and may move out.
        let value = unsafe { self.place(row).read() };
        if const { D::KEEPS_REMOVED } {
            let (removed, entities, alive) = &mut self.removed;
            // SAFETY: the set spans the pages of all chunks, and the page belongs to this chunk.
            if !unsafe { alive.page(row / PAGE_ROWS) }.contains(row % PAGE_ROWS) {
                // The entity is despawned already: what was staged for it was never there.
                return Some(value);
            }
            // SAFETY: the row is in use, so it is in the table, and it belongs to this chunk.
            let entity = unsafe { entities.entity(row) };
            removed_of(removed, self.index, self.buffer.info).take_value(row, entity, value);
            return None;
        }
        Some(value)
    }

    /// Writes a value for each of these rows of a block, from the lowest row on. Old values are
    /// forgotten.
    ///
    /// # Panics
    /// If `C` needs to be dropped, if a row belongs to another chunk or is not in use, or if there
    /// are too few values.
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
        let mut remaining = rows;
        while remaining != 0 {
            let Some(value) = values.next() else { too_few() };
            // SAFETY: the row belongs to this chunk, and overwritten values do not need to be
            // dropped.
            unsafe { places.write(first + remaining.trailing_zeros() as usize, value) };
            remaining &= remaining - 1;
        }
        let new = self.add(block, rows);
        self.mark(block, rows, new);
    }

    /// Removes the values of these rows of a block. The values are forgotten, as in
    /// [`overwrite`](Self::overwrite).
    ///
    /// # Panics
    /// If `C` needs to be dropped, or a row belongs to another chunk or is not in use.
    #[inline]
    pub(crate) fn forget(&mut self, block: usize, rows: u64) {
        self.assert_has(block, rows);
        self.clear(block, rows);
    }

    fn assert_has(&self, block: usize, rows: u64) {
        assert!(!core::mem::needs_drop::<C>(), "a value would be lost");
        let end = end_of(block, rows);
        assert!(
            self.rows.contains(&(block * BLOCK_ROWS)) && end <= self.rows.end,
            "rows of another chunk"
        );
    }

    /// The addresses for the values of a page's rows, some of which are in use.
    ///
    /// # Panics
    /// If the page belongs to another chunk, none of its rows is in use, or no
    /// [memory](super::Storage::reserve_values) was reserved.
    #[inline]
    pub(crate) fn places(&mut self, page: usize) -> PageValues<C> {
        assert!(self.rows.contains(&(page * PAGE_ROWS)), "rows of another chunk");
        assert!(self.reserved == self.rows, "rows without memory");
        let first = self.place(page * PAGE_ROWS).cast();
        PageValues { first, stride: self.stride, of: PhantomData }
    }

    /// Adds rows of one page to the presence set, after their values were written.
    ///
    /// # Safety
    /// The rows must belong to this chunk and be in use, and a value must have been
    /// [written](PageValues::write) for each of them.
    #[inline]
    pub(crate) unsafe fn publish(&mut self, ranges: RowRanges<'_>) {
        let first = self.set(ranges.page()).add_each(ranges.iter(), ranges.count());
        self.note(ranges.page(), first);
        if const { D::LANES.is_tracked() } {
            ranges.iter().for_each(|(block, rows)| self.mark(block, rows, rows));
        }
    }

    /// Marks rows of a block as changed, and those in `new` as added. These make the page dirty, and others end its version.
    #[inline(always)]
    fn mark(&self, block: usize, rows: u64, new: u64) {
        if const { has_versions::<D, C>() } && rows & !new != 0 {
            self.versions.forget(block / BLOCKS_PER_PAGE);
        }
        if const { D::LANES.is_tracked() } {
            self.lanes.mark(block, rows, new);
        }
    }

    /// Adds rows of a block of this chunk to the presence set. Returns the new ones.
    #[inline]
    fn add(&mut self, block: usize, rows: u64) -> u64 {
        let page = block / BLOCKS_PER_PAGE;
        let (new, first) = self.set(page).add(block % BLOCKS_PER_PAGE, rows);
        self.note(page, first);
        new
    }

    /// Removes rows of a block of this chunk from the presence set. Returns those that were in it.
    #[inline]
    fn clear(&mut self, block: usize, rows: u64) -> u64 {
        let page = block / BLOCKS_PER_PAGE;
        let (taken, first) = self.set(page).clear(block % BLOCKS_PER_PAGE, rows);
        self.note(page, first);
        taken
    }

    /// The presence of the rows of a page of this chunk. A page that becomes dirty must be
    /// [noted](Self::note).
    #[inline]
    fn set(&mut self, page: usize) -> PresencePage<'_> {
        // SAFETY: every presence set spans the pages of all chunks, and the page belongs to this
        // chunk.
        unsafe { self.presence.page(page) }
    }

    /// Records that a page has become dirty, if this is the `first` change.
    #[inline]
    fn note(&mut self, page: usize, first: bool) {
        if first {
            self.dirty.push((self.index, page as u32));
        }
    }

    /// The address for the value of a row of this chunk.
    #[inline]
    fn place(&mut self, row: usize) -> *mut C {
        self.buffer.first.wrapping_add(row * self.stride).cast()
    }
}

#[cold]
fn too_few() -> ! {
    panic!("a row was to have a value, and there is none")
}

/// The addresses for the values of a page's rows.
pub(crate) struct PageValues<C> {
    first: *mut u8,
    stride: usize,
    of: PhantomData<C>,
}

impl<C> PageValues<C> {
    /// Writes a value for the row at `offset` in the page, without dropping anything.
    ///
    /// # Safety
    /// The offset must belong to a row of the page, whose chunk must still be borrowed.
    #[inline(always)]
    pub(crate) unsafe fn write(&self, offset: usize, value: C) {
        // SAFETY: there is memory for all rows in use, one allocation.
        let place = unsafe { self.first.add(offset * self.stride) };
        // SAFETY: the address is in the row's own memory at the offset that the layout reserves for
        // `C`.
        unsafe { place.cast::<C>().write(value) };
    }
}
