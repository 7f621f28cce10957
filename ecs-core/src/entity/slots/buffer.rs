//! Slots in memory, which they do not take before they are written.

use core::ops::{Deref, DerefMut};
use core::slice;
use std::alloc::{Layout, handle_alloc_error};

use super::{MAX_ENTITIES, PAGE_SLOTS, Slot};
use crate::entity::refused_growth;
use crate::rows::{Memory, Use};

/// Slots side by side, in memory of which pages can be given back.
#[derive(Debug)]
pub(super) struct SlotBuffer {
    pub(super) memory: Memory,
    /// There are this many slots.
    pub(super) len: usize,
    /// Memory from the slot `max(len, zero_from)` on is 0. `usize::MAX` if nothing is known, as of a block of the heap.
    pub(super) zero_from: usize,
}

// SAFETY: the slots own their memory, which has plain data.
unsafe impl Send for SlotBuffer {}
// SAFETY: `&SlotBuffer` gives shared references only, to plain data.
unsafe impl Sync for SlotBuffer {}

impl Deref for SlotBuffer {
    type Target = [Slot];

    #[inline(always)]
    fn deref(&self) -> &[Slot] {
        // SAFETY: the memory is aligned for slots and has room for `len` of them. Each was written, or lies in memory of the system that
        // was not, or that was given back, and reads as 0. Any bits are a slot.
        unsafe { slice::from_raw_parts(self.start(), self.len) }
    }
}

impl DerefMut for SlotBuffer {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [Slot] {
        // SAFETY: as above, and the slots are borrowed exclusively.
        unsafe { slice::from_raw_parts_mut(self.start(), self.len) }
    }
}

impl SlotBuffer {
    pub(super) fn new() -> Self {
        // (Few worlds have a column of this number, with which the table would compete for lines of a cache.)
        let memory = Memory::empty(align_of::<Slot>(), 14);
        Self { memory, len: 0, zero_from: usize::MAX }
    }

    #[inline(always)]
    pub(super) fn start(&self) -> *mut Slot {
        self.memory.start().cast()
    }

    /// Reserves memory for `more` slots. Returns whether the system gives it; if not, nothing has changed.
    #[inline]
    pub(super) fn try_reserve(&mut self, more: usize) -> bool {
        let least = (self.len + more).saturating_mul(size_of::<Slot>());
        least <= self.memory.len() || self.try_grow(least)
    }

    #[cold]
    fn try_grow(&mut self, least: usize) -> bool {
        let most = MAX_ENTITIES.saturating_mul(size_of::<Slot>());
        let (was_mapped, before) = (self.memory.is_mapped(), self.memory.len());
        let is_given = self.memory.grow(least, most, Use::Table).is_ok();
        if !self.memory.is_mapped() {
            // A block of the heap is not zeroed.
            self.zero_from = usize::MAX;
        } else if !was_mapped {
            // The block of the heap was copied, and all behind it is 0.
            self.zero_from = before.div_ceil(size_of::<Slot>());
        }
        is_given
    }

    /// Makes room for one more slot. A caller that can go on without it has reserved it before, so the program ends if the
    /// system refuses the memory.
    #[cold]
    fn grow(&mut self) {
        if !self.try_reserve(1) {
            handle_alloc_error(Layout::new::<Slot>());
        }
    }

    /// # Panics
    /// If the system refuses the memory.
    #[cold]
    pub(super) fn reserve(&mut self, more: usize) {
        if !self.try_reserve(more) {
            refused_growth((self.len + more).saturating_mul(size_of::<Slot>()));
        }
    }

    /// Adds a slot. Nothing is written where memory has it already.
    #[inline(always)]
    pub(super) fn push(&mut self, slot: Slot) {
        if self.memory.len() / size_of::<Slot>() == self.len {
            self.grow();
        }
        // SAFETY: there is memory for one more.
        unsafe { self.push_reserved(slot) };
    }

    /// Adds a slot.
    ///
    /// # Safety
    /// There is memory for it.
    #[inline(always)]
    unsafe fn push_reserved(&mut self, slot: Slot) {
        if self.len < self.zero_from || slot != Slot::first(self.len) {
            // SAFETY: by the contract.
            unsafe { self.start().wrapping_add(self.len).write(slot) };
        }
        self.len += 1;
    }

    /// Adds slots: as many as announced, or fewer.
    pub(super) fn extend(&mut self, slots: impl ExactSizeIterator<Item = Slot>) {
        let count = slots.len();
        self.reserve(count);
        // SAFETY: there is memory for `count` slots more than there were, and no more than these come.
        slots.take(count).for_each(|slot| unsafe { self.push_reserved(slot) });
    }

    /// Adds `count` unwritten slots.
    ///
    /// # Panics
    /// If the system refuses the memory.
    pub(super) fn extend_unwritten(&mut self, count: usize) {
        self.reserve(count);
        let end = self.len + count;
        let to_write = end.min(self.zero_from).saturating_sub(self.len);
        // SAFETY: there is memory for `count` slots more than there were, of which these are the first. 0 is an unwritten slot.
        unsafe { self.start().wrapping_add(self.len).write_bytes(0, to_write) };
        self.len = end;
    }

    /// Removes the slots from `len` on.
    pub(super) fn truncate(&mut self, len: usize) {
        if len < self.len {
            // Those that there were may not be 0.
            self.zero_from = self.zero_from.max(self.len);
            self.len = len;
        }
    }

    /// Becomes a copy of the slots of `from`. What is unwritten stays so.
    ///
    /// # Panics
    /// If the system refuses the memory. Nothing has changed then.
    pub(super) fn copy(&mut self, from: &Self) {
        self.reserve(from.len.saturating_sub(self.len));
        self.truncate(from.len);
        let (old, new) = from.split_at(self.len);
        for (to, from) in self.chunks_mut(PAGE_SLOTS).zip(old.chunks(PAGE_SLOTS)) {
            if to != from {
                to.copy_from_slice(from);
            }
        }
        for from in new.chunks(PAGE_SLOTS) {
            let start = self.len;
            self.extend_unwritten(from.len());
            if from.iter().any(|slot| *slot != Slot::UNWRITTEN) {
                self[start..].copy_from_slice(from);
            }
        }
    }
}
