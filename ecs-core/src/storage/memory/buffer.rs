//! Buffers: the memory of rows.

use core::ops::Range;
use std::alloc::Layout;

use crate::entity::{EntityLimit, MAX_ENTITIES, on_limit, refused, refused_growth};
use crate::rows::{BLOCK_ROWS, Memory, PAGE_ROWS, Use};

/// Memory for rows of one stride, one after the other. A buffer owns memory, not values: it never reads, writes or drops
/// them.
///
/// Under a fixed entity limit the memory is there from the start, and never moves. Otherwise it grows as rows are used,
/// and may move then. Only `&mut Buffer` grows it, so pointers into it stay valid while the storage is shared.
#[derive(Debug)]
pub(crate) struct Buffer {
    stride: usize,
    memory: Memory,
    /// The number of rows that the memory has room for.
    rows: usize,
    /// The number of rows that memory is made for at first.
    initial: usize,
    /// The largest number of rows.
    most: usize,
    is_fixed: bool,
    /// Whether rows lie by archetype: then an archetype's last page has free rows, and other archetypes have other
    /// components.
    has_gaps: bool,
}

// SAFETY: a buffer is plain memory that it owns, and it hands out raw pointers only.
unsafe impl Send for Buffer {}
// SAFETY: `&Buffer` gives an address, and nothing else.
unsafe impl Sync for Buffer {}

impl Buffer {
    /// The buffer with this number in its world, of rows of `stride` bytes, aligned to `align`, which divides
    /// `stride`. The limit `L` determines the number of rows.
    ///
    /// # Panics
    /// If the system refuses the memory that a fixed limit asks for.
    pub(in crate::storage) fn new<L: EntityLimit>(
        number: usize,
        stride: usize,
        align: usize,
    ) -> Self {
        let (is_fixed, initial, most) = on_limit::<L, _>(
            |limit| (true, limit.min(MAX_ENTITIES), limit.min(MAX_ENTITIES)),
            |initial| (false, initial.min(MAX_ENTITIES), MAX_ENTITIES),
        );
        let most = most.next_multiple_of(PAGE_ROWS);
        let memory = Memory::empty(align, number);
        // Rows without bytes need no memory.
        let rows = if stride == 0 { most } else { 0 };
        let has_gaps = L::BY_ARCHETYPE;
        let mut this = Self { stride, memory, rows, initial, most, is_fixed, has_gaps };
        if is_fixed && this.try_grow(most, Use::Dense).is_err() {
            refused(most, stride);
        }
        this
    }

    /// A buffer without rows.
    pub(in crate::storage) const fn none() -> Self {
        let memory = Memory::empty(1, 0);
        let has_gaps = false;
        Self { stride: 0, memory, rows: 0, initial: 0, most: 0, is_fixed: true, has_gaps }
    }

    /// The start of row 0.
    #[inline(always)]
    pub(crate) fn start(&self) -> *mut u8 {
        self.memory.start()
    }

    /// The number of rows that there is memory for, a multiple of [`BLOCK_ROWS`].
    #[inline(always)]
    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// The start of the row. The memory grows if needed; see [`reserve`](Self::reserve).
    #[inline]
    pub(crate) fn row_or_allocate(
        &mut self,
        row: usize,
        values: impl FnOnce() -> usize,
    ) -> *mut u8 {
        self.reserve(row + 1, values);
        self.start().wrapping_add(row * self.stride)
    }

    /// Makes room for at least `rows` rows. `values` says in how many of them there are values, or will be at once.
    #[inline]
    pub(crate) fn reserve(&mut self, rows: usize, values: impl FnOnce() -> usize) {
        if rows > self.rows {
            self.grow(rows, self.use_with(rows, values));
        }
    }

    /// The same. Returns whether the system gives the memory; if not, the buffer is unchanged.
    pub(in crate::storage) fn try_reserve(
        &mut self,
        rows: usize,
        values: impl FnOnce() -> usize,
    ) -> bool {
        rows <= self.rows || self.try_grow(rows, self.use_with(rows, values)).is_ok()
    }

    /// Makes room for at least `rows` rows, whose values lie like those of `other`.
    pub(in crate::storage) fn reserve_like(&mut self, rows: usize, other: &Self) {
        if rows > self.rows {
            self.grow(rows, if self.has_gaps { Use::Sparse } else { other.memory.of() });
        }
    }

    /// What `rows` rows are used like, if there are values in this number of them.
    fn use_with(&self, rows: usize, values: impl FnOnce() -> usize) -> Use {
        // Nothing is known of rows that memory is made for from the start.
        let is_first = self.rows == 0 && self.initial > rows;
        let is_sparse = self.has_gaps || !is_first && values() < rows / 2;
        if is_sparse { Use::Sparse } else { Use::Dense }
    }

    /// # Panics
    /// If these are more rows than the limit allows, or if the system refuses the memory. The buffer is unchanged.
    #[cold]
    fn grow(&mut self, rows: usize, of: Use) {
        if let Err(layout) = self.try_grow(rows, of) {
            refused_growth(layout.size());
        }
    }

    /// An error has what the system refuses.
    fn try_grow(&mut self, rows: usize, of: Use) -> Result<(), Layout> {
        if rows <= self.rows {
            return Ok(());
        }
        assert!(rows <= self.most, "a row beyond the limit");
        let rows = rows.max(if self.rows == 0 { self.initial } else { 0 });
        let bytes = |rows: usize| rows.checked_mul(self.stride);
        let least = bytes(rows.next_multiple_of(BLOCK_ROWS));
        let least = least.expect("the buffer is larger than the address space");
        self.memory.grow(least, bytes(self.most).unwrap_or(usize::MAX), of)?;
        self.count_rows();
        Ok(())
    }

    fn count_rows(&mut self) {
        self.rows = (self.memory.len() / self.stride / BLOCK_ROWS * BLOCK_ROWS).min(self.most);
    }

    /// Gives back the memory of the rows from `rows` on, which must not contain values. Under a fixed limit it stays.
    pub(in crate::storage) fn truncate(&mut self, rows: usize) {
        if !self.is_fixed && self.stride > 0 && rows < self.rows {
            self.memory.shrink(rows * self.stride);
            self.count_rows();
        }
    }

    /// Gives back the memory of a page of rows, which must not contain values, if it can be given back. Under a fixed
    /// limit it stays.
    pub(in crate::storage) fn free_page(&mut self, page: usize) {
        self.free_rows(page * PAGE_ROWS..(page + 1) * PAGE_ROWS);
    }

    /// The same for any rows.
    pub(in crate::storage) fn free_rows(&mut self, rows: Range<usize>) {
        if !self.is_fixed {
            self.memory.release(rows.start * self.stride, rows.end * self.stride);
        }
    }
}

#[cfg(test)]
#[cfg(all(unix, not(miri)))]
mod tests {
    use super::*;
    use crate::entity::LimitReached;

    const ROWS: usize = 1_000_000;

    /// A limit of [`ROWS`], or room for `INITIAL` rows from the start.
    struct Limit<const FIXED: bool, const INITIAL: usize, const BY_ARCHETYPE: bool>;

    impl<const FIXED: bool, const INITIAL: usize, const BY_ARCHETYPE: bool> EntityLimit
        for Limit<FIXED, INITIAL, BY_ARCHETYPE>
    {
        const FIXED: Option<usize> = if FIXED { Some(ROWS) } else { None };
        const INITIAL: usize = INITIAL;
        const BY_ARCHETYPE: bool = BY_ARCHETYPE;
        type Outcome<T> = Result<T, LimitReached>;

        fn outcome<T>(spawned: Result<T, LimitReached>) -> Self::Outcome<T> {
            spawned
        }
    }

    /// What a buffer is made for that has one row, and then grows to [`ROWS`] rows with as many values.
    fn made_for<L: EntityLimit>(values: usize) -> Use {
        let mut buffer = Buffer::new::<L>(0, 8, 8);
        buffer.reserve(1, || 0);
        buffer.reserve(ROWS, || values);
        assert!(buffer.rows() >= ROWS);
        buffer.memory.of()
    }

    #[test]
    fn huge_pages_are_for_columns_that_most_entities_have() {
        assert_eq!(made_for::<Limit<false, 0, false>>(ROWS / 2), Use::Dense);
        assert_eq!(made_for::<Limit<false, 0, false>>(ROWS / 2 - 1), Use::Sparse);
        assert_eq!(made_for::<Limit<false, 0, true>>(ROWS), Use::Sparse);
        // Nothing is known of memory that is there from the start.
        assert_eq!(made_for::<Limit<false, ROWS, false>>(0), Use::Dense);
        assert_eq!(made_for::<Limit<true, 0, false>>(0), Use::Dense);
    }

    #[test]
    fn a_copy_is_made_for_the_same_use() {
        for values in [0, ROWS] {
            let mut buffer = Buffer::new::<Limit<false, 0, false>>(0, 8, 8);
            buffer.reserve(ROWS, || values);
            let mut copy = Buffer::new::<Limit<false, 0, false>>(0, 8, 8);
            copy.reserve_like(ROWS, &buffer);
            assert_eq!(copy.memory.of(), buffer.memory.of());
            let mut by_archetype = Buffer::new::<Limit<false, 0, true>>(0, 8, 8);
            by_archetype.reserve_like(ROWS, &buffer);
            assert_eq!(by_archetype.memory.of(), Use::Sparse);
        }
    }
}
