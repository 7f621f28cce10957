//! Buffers: the memory of rows, in pages that never move.

use std::alloc::{self, Layout as Memory};

use super::PAGE_ROWS;
use crate::entity::{EntityLimit, on_limit};

/// Memory for rows of one stride, in pages of [`PAGE_ROWS`] rows. A buffer owns memory, not values:
/// it never reads, writes or drops them.
///
/// Under a fixed entity limit all pages lie in one allocation, made at once. Otherwise a page is
/// allocated when a row in it is first used. The limit is evaluated when a buffer is created;
/// afterwards it shows only in the number of pages per allocation and the maximum number of pages.
/// A page never moves, so pointers into it stay valid while pages are added.
#[derive(Debug)]
pub(crate) struct Buffer {
    stride: usize,
    align: usize,
    /// The start of each page; null if it is not allocated.
    pub(super) pages: Vec<*mut u8>,
    /// The number of pages of one allocation. Either all of them are in the table or none.
    together: usize,
    most: usize,
}

// SAFETY: a buffer is plain memory that it owns, and it hands out raw pointers only.
unsafe impl Send for Buffer {}
// SAFETY: `&Buffer` only allows reading the table of pages, which is not written meanwhile.
unsafe impl Sync for Buffer {}

impl Buffer {
    /// A buffer of rows of `stride` bytes, aligned to `align`, which divides `stride`. The limit
    /// `L` determines the number of rows.
    pub(crate) fn new<L: EntityLimit>(stride: usize, align: usize) -> Self {
        on_limit::<L, _>(
            |limit| Self::fixed(stride, align, limit),
            |initial| Self::dynamic(stride, align, initial),
        )
    }

    /// A buffer with the memory of `rows` rows, which cannot grow.
    fn fixed(stride: usize, align: usize, rows: usize) -> Self {
        let count = rows.div_ceil(PAGE_ROWS);
        let start = Self::allocate(Self::memory(stride, align, count * PAGE_ROWS));
        let page = |page| start.wrapping_add(page * PAGE_ROWS * stride);
        Self { stride, align, pages: (0..count).map(page).collect(), together: count, most: count }
    }

    /// A buffer without memory, which can grow. Its table has room for the pages of `rows` rows.
    pub(super) fn dynamic(stride: usize, align: usize, rows: usize) -> Self {
        let pages = Vec::with_capacity(rows.div_ceil(PAGE_ROWS));
        Self { stride, align, pages, together: 1, most: usize::MAX }
    }

    fn memory(stride: usize, align: usize, rows: usize) -> Memory {
        let size = stride.checked_mul(rows).expect("the buffer is larger than the address space");
        Memory::from_size_align(size, align).expect("the buffer is larger than the address space")
    }

    /// Allocates memory with the given layout. Returns a dangling, aligned pointer if its size is
    /// 0.
    fn allocate(memory: Memory) -> *mut u8 {
        if memory.size() == 0 {
            return core::ptr::without_provenance_mut(memory.align());
        }
        // SAFETY: the size is not 0.
        let start = unsafe { alloc::alloc(memory) };
        if start.is_null() {
            alloc::handle_alloc_error(memory);
        }
        start
    }

    /// The start of a page; `None` if it is not allocated.
    #[inline]
    pub(crate) fn page(&self, page: usize) -> Option<*mut u8> {
        self.pages.get(page).copied().filter(|start| !start.is_null())
    }

    /// The start of the row. Its page is allocated if needed.
    #[inline]
    pub(crate) fn row_or_allocate(&mut self, row: usize) -> *mut u8 {
        let page = match self.page(row / PAGE_ROWS) {
            Some(page) => page,
            None => self.allocate_page(row / PAGE_ROWS),
        };
        page.wrapping_add(row % PAGE_ROWS * self.stride)
    }

    /// Makes the table of pages span at least `pages` pages.
    pub(super) fn reserve(&mut self, pages: usize) {
        let pages = pages.min(self.most);
        if self.pages.len() < pages {
            self.pages.resize(pages, core::ptr::null_mut());
        }
    }

    /// Frees the pages from `pages` on, which must not contain values. Under a fixed limit they
    /// stay allocated.
    pub(super) fn truncate(&mut self, pages: usize) {
        if self.most < usize::MAX {
            return;
        }
        for page in pages..self.pages.len() {
            self.free_page(page);
        }
        self.pages.truncate(pages);
    }

    /// Frees a page, if it is allocated. It must not contain values. Under a fixed limit it stays
    /// allocated.
    pub(super) fn free_page(&mut self, page: usize) {
        let Some(place) = self.pages.get_mut(page).filter(|_| self.most == usize::MAX) else {
            return;
        };
        let start = core::mem::replace(place, core::ptr::null_mut());
        let memory = Self::memory(self.stride, self.align, PAGE_ROWS);
        if !start.is_null() && memory.size() > 0 {
            // SAFETY: without a fixed limit each page is an allocation of its own, made with
            // exactly this layout, whose size is not 0. The page has just left the table.
            unsafe { alloc::dealloc(start, memory) };
        }
    }

    /// The table of pages, and the layout of new ones. Components of the same buffer share the
    /// table, so it is a pointer: a reference would invalidate the pointers made before.
    pub(super) fn table(&mut self) -> (*mut *mut u8, NewPage) {
        (self.pages.as_mut_ptr(), NewPage { stride: self.stride, align: self.align })
    }

    #[cold]
    fn allocate_page(&mut self, page: usize) -> *mut u8 {
        assert!(page < self.most, "a row beyond the fixed limit");
        self.reserve(page + 1);
        self.pages[page] = NewPage { stride: self.stride, align: self.align }.allocate();
        self.pages[page]
    }
}

/// The parameters for allocating a page of a buffer.
#[derive(Clone, Copy, Debug)]
pub(super) struct NewPage {
    pub(super) stride: usize,
    align: usize,
}

impl NewPage {
    /// Allocates a page. The buffer frees it once it is in the table.
    #[cold]
    pub(super) fn allocate(self) -> *mut u8 {
        Buffer::allocate(Buffer::memory(self.stride, self.align, PAGE_ROWS))
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        let memory = Self::memory(self.stride, self.align, self.together * PAGE_ROWS);
        if memory.size() == 0 {
            return;
        }
        for &start in self.pages.iter().step_by(self.together).filter(|start| !start.is_null()) {
            // SAFETY: every `together`-th page that is allocated is the start of an allocation of
            // that number of pages, made with exactly this layout, whose size is not 0.
            unsafe { alloc::dealloc(start, memory) };
        }
    }
}
