//! The memory in use: the system's heap, with a count of its bytes.

use std::alloc::{GlobalAlloc, Layout, System as Heap};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

static BYTES: AtomicUsize = AtomicUsize::new(0);

/// The number of allocated bytes.
pub(crate) fn used() -> usize {
    BYTES.load(Relaxed)
}

/// The result of `make`, and the bytes that stay allocated for it.
pub(crate) fn measured<T>(make: impl FnOnce() -> T) -> (T, usize) {
    let before = used();
    let made = make();
    (made, used() - before)
}

struct CountingHeap;

#[global_allocator]
static HEAP: CountingHeap = CountingHeap;

// SAFETY: passes all calls on to the system's heap unchanged; the counter needs no heap.
unsafe impl GlobalAlloc for CountingHeap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        BYTES.fetch_add(layout.size(), Relaxed);
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { Heap.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        BYTES.fetch_add(layout.size(), Relaxed);
        // SAFETY: the caller keeps the contract of `alloc_zeroed`.
        unsafe { Heap.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        BYTES.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller keeps the contract of `dealloc`; the memory is the system's.
        unsafe { Heap.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        BYTES.fetch_add(size, Relaxed);
        BYTES.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller keeps the contract of `realloc`; the memory is the system's.
        unsafe { Heap.realloc(memory, layout, size) }
    }
}
