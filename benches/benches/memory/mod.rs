//! The memory in use: the system's heap, with a count of its bytes, and what columns have of the system itself.

use std::alloc::{GlobalAlloc, Layout, System as Heap};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

static BYTES: AtomicUsize = AtomicUsize::new(0);

/// The number of bytes that are allocated, or mapped and resident.
pub(crate) fn used() -> usize {
    BYTES.load(Relaxed) + mapped()
}

/// The resident bytes of mappings for which no swap is reserved, as Linux lists them: those of columns. Elsewhere 0.
fn mapped() -> usize {
    let list = std::fs::read_to_string("/proc/self/smaps").unwrap_or_default();
    let (mut resident, mut all) = (0, 0);
    for line in list.lines() {
        if let Some(rest) = line.strip_prefix("Rss:") {
            let kilobytes = rest.trim_end_matches("kB").trim().parse().unwrap_or(0);
            resident = 1024 * kilobytes;
        } else if line.starts_with("VmFlags:") && line.split(' ').any(|flag| flag == "nr") {
            all += resident;
        }
    }
    all
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
