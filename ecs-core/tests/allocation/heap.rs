//! The system's heap, with counters for each thread.

use std::alloc::{GlobalAlloc, Layout, System as Heap};
use std::cell::Cell;

thread_local! {
    /// The number of this thread's allocations and reallocations.
    pub(crate) static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
    /// The bytes that this thread has allocated, minus those that it has freed.
    pub(crate) static BYTES: Cell<isize> = const { Cell::new(0) };
}

/// The system's heap, which counts its uses by thread.
struct CountingHeap;

fn count() {
    ALLOCATIONS.set(ALLOCATIONS.get() + 1);
}

fn add_bytes(bytes: isize) {
    BYTES.set(BYTES.get() + bytes);
}

// SAFETY: every request is passed on to the system's heap unchanged, and counting does not use the heap.
unsafe impl GlobalAlloc for CountingHeap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        add_bytes(layout.size() as isize);
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { Heap.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count();
        add_bytes(layout.size() as isize);
        // SAFETY: the caller keeps the contract of `alloc_zeroed`.
        unsafe { Heap.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        add_bytes(-(layout.size() as isize));
        // SAFETY: the caller keeps the contract of `dealloc`; the memory is the system's.
        unsafe { Heap.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        add_bytes(size as isize - layout.size() as isize);
        // SAFETY: the caller keeps the contract of `realloc`; the memory is the system's.
        unsafe { Heap.realloc(memory, layout, size) }
    }
}

#[global_allocator]
static HEAP: CountingHeap = CountingHeap;
