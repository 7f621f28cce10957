//! Buffers: the memory of rows.

use core::ops::Range;
use std::alloc::Layout;

use super::{Memory, Use};
use crate::entity::{EntityLimit, MAX_ENTITIES, on_limit, refused, refused_growth};
use crate::storage::{BLOCK_ROWS, PAGE_ROWS};

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
    /// Whether rows lie by archetype: then an archetype's last page has free rows, and other archetypes have other components.
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
        // Nothing is known of which rows will have values.
        if is_fixed && this.try_grow(most, || most).is_err() {
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
            self.grow(rows, values);
        }
    }

    /// The same. Returns whether the system gives the memory; if not, the buffer is unchanged.
    pub(in crate::storage) fn try_reserve(
        &mut self,
        rows: usize,
        values: impl FnOnce() -> usize,
    ) -> bool {
        self.try_grow(rows, values).is_ok()
    }

    /// Makes room for at least `rows` rows, whose values lie like those of `other`.
    pub(in crate::storage) fn reserve_like(&mut self, rows: usize, other: &Self) {
        self.reserve(rows, || if other.memory.is_sparse() { 0 } else { rows });
    }

    /// # Panics
    /// If these are more rows than the limit allows, or if the system refuses the memory. The buffer is unchanged.
    #[cold]
    fn grow(&mut self, rows: usize, values: impl FnOnce() -> usize) {
        if let Err(layout) = self.try_grow(rows, values) {
            refused_growth(layout.size());
        }
    }

    /// An error has what the system refuses.
    fn try_grow(&mut self, rows: usize, values: impl FnOnce() -> usize) -> Result<(), Layout> {
        if rows <= self.rows {
            return Ok(());
        }
        assert!(rows <= self.most, "a row beyond the limit");
        let of = if self.has_gaps || values() < rows / 2 { Use::Sparse } else { Use::Dense };
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

    /// Whether a buffer that grows to [`ROWS`] rows, with `values` values, is one with gaps.
    fn is_sparse<L: EntityLimit>(values: usize) -> bool {
        let mut buffer = Buffer::new::<L>(0, 8, 8);
        buffer.reserve(10, || 10);
        buffer.reserve(ROWS, || values);
        assert!(buffer.rows() >= ROWS);
        let mut copy = Buffer::new::<L>(0, 8, 8);
        copy.reserve_like(ROWS, &buffer);
        assert_eq!(copy.memory.is_sparse(), buffer.memory.is_sparse());
        buffer.memory.is_sparse()
    }

    #[test]
    fn large_pages_are_for_columns_that_most_entities_have() {
        assert!(!is_sparse::<Limit<false, 0, false>>(ROWS / 2));
        assert!(is_sparse::<Limit<false, 0, false>>(ROWS / 2 - 1));
        assert!(is_sparse::<Limit<false, 0, true>>(ROWS));
        // Nothing is known of memory that is there from the start.
        assert!(!is_sparse::<Limit<false, ROWS, false>>(0));
        assert!(!is_sparse::<Limit<true, 0, false>>(0));
    }
}
