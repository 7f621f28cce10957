//! A list of values of an erased type.
//!
//! Code that moves values without looking at them needs their size, alignment and drop glue, and not their type. So it is
//! compiled once, not for each component.

use std::alloc::{Layout, alloc, handle_alloc_error, realloc};

use crate::parallel::{PanicSlot, drop_all};
use crate::types::TypeInfo;

/// Values of one type, one after the other.
#[derive(Debug)]
pub(in crate::storage) struct ErasedVec {
    info: TypeInfo,
    /// Memory for `capacity` values, of which the first `len` are live.
    start: *mut u8,
    len: usize,
    capacity: usize,
}

// SAFETY: the list owns its memory. The values were moved out of the columns of a component, which is `Send`.
unsafe impl Send for ErasedVec {}
// SAFETY: `&ErasedVec` gives shared references to the values only, which are those of a component, and so `Sync`.
unsafe impl Sync for ErasedVec {}

impl ErasedVec {
    /// No values of this type.
    pub(in crate::storage) const fn new(info: TypeInfo) -> Self {
        let start = core::ptr::without_provenance_mut(info.align());
        // Values without size need no memory.
        let capacity = if info.size() == 0 { usize::MAX } else { 0 };
        Self { info, start, len: 0, capacity }
    }

    /// The number of values.
    #[inline]
    pub(in crate::storage) fn len(&self) -> usize {
        self.len
    }

    fn layout(&self, capacity: usize) -> Layout {
        let size = self.info.size().checked_mul(capacity);
        let layout = size.and_then(|size| Layout::from_size_align(size, self.info.align()).ok());
        layout.expect("a list is larger than the address space")
    }

    /// Makes room for this many more values.
    #[inline]
    fn reserve(&mut self, more: usize) {
        if self.capacity - self.len < more {
            self.grow(more);
        }
    }

    #[cold]
    fn grow(&mut self, more: usize) {
        let least = self.len.checked_add(more).expect("a list is larger than the address space");
        let capacity = least.max(2 * self.capacity).max(4);
        let layout = self.layout(capacity);
        let start = if self.capacity == 0 {
            // SAFETY: the size is not 0: values without size never need room, and the capacity is not 0.
            unsafe { alloc(layout) }
        } else {
            // SAFETY: the memory was allocated with the layout of its capacity, and the new size is larger, so not 0.
            unsafe { realloc(self.start, self.layout(self.capacity), layout.size()) }
        };
        if start.is_null() {
            handle_alloc_error(layout);
        }
        (self.start, self.capacity) = (start, capacity);
    }

    /// The address for the value at `index`.
    #[inline]
    fn place(&self, index: usize) -> *mut u8 {
        self.start.wrapping_add(index * self.info.size())
    }

    /// Takes over the value at `value`.
    ///
    /// # Safety
    /// `value` must point to a live value of the type of the list, which nothing else refers to and which is not used
    /// afterwards.
    #[inline]
    pub(in crate::storage) unsafe fn push(&mut self, value: *const u8) {
        self.reserve(1);
        // SAFETY: by the contract the value may move here. There is room for one more, in memory of this list.
        unsafe { core::ptr::copy_nonoverlapping(value, self.place(self.len), self.info.size()) };
        self.len += 1;
    }

    /// Adds the value.
    ///
    /// # Panics
    /// If the list is of another type.
    pub(in crate::storage) fn push_value<C: 'static>(&mut self, value: C) {
        assert!(self.info.is::<C>(), "a list of another type");
        let value = core::mem::ManuallyDrop::new(value);
        // SAFETY: the value has the type of the list, and is not dropped here.
        unsafe { self.push((&raw const value).cast()) };
    }

    /// Takes over all values of the other list.
    ///
    /// # Panics
    /// If that is of another type.
    pub(in crate::storage) fn append(&mut self, other: &mut Self) {
        assert!(self.info.is_same(&other.info), "a list of another type");
        self.reserve(other.len);
        let size = other.len * self.info.size();
        // SAFETY: the values are of this type, and move here, where there is room for them: the other list has none from
        // the next line on.
        unsafe { core::ptr::copy_nonoverlapping(other.start, self.place(self.len), size) };
        self.len += core::mem::take(&mut other.len);
    }

    /// All values.
    ///
    /// # Panics
    /// If the list is of another type.
    #[inline]
    pub(in crate::storage) fn as_slice<C: 'static>(&self) -> &[C] {
        assert!(self.info.is::<C>(), "a list of another type");
        // SAFETY: the first `len` values are live, side by side, and of type `C`, as just asserted. The address is aligned
        // for them, also if there is no memory. They are changed through `&mut self` only.
        unsafe { core::slice::from_raw_parts(self.start.cast(), self.len) }
    }

    /// Brings the last values into another order: the value at `order[i]` among them becomes the `i`-th. `spare` is a list of
    /// the same type, for its memory.
    ///
    /// # Safety
    /// `order` must have each number below its length once.
    ///
    /// # Panics
    /// If there are fewer values, or `spare` has some or is of another type.
    pub(in crate::storage) unsafe fn permute_last(&mut self, order: &[u32], spare: &mut Self) {
        assert!(self.info.is_same(&spare.info) && spare.len == 0, "a list of another type");
        let first = self.len.checked_sub(order.len()).expect("there are fewer values");
        spare.reserve(order.len());
        let size = self.info.size();
        for (to, &from) in order.iter().enumerate() {
            let from = self.place(first + from as usize);
            // SAFETY: `from` is the place of a value, as the number is below that of the last values. There is room for as
            // many in `spare`, which still counts none.
            unsafe { core::ptr::copy_nonoverlapping(from, spare.place(to), size) };
        }
        let bytes = order.len() * size;
        // SAFETY: each of the values was copied once, by the contract, and now moves back as that copy.
        unsafe { core::ptr::copy_nonoverlapping(spare.start, self.place(first), bytes) };
    }

    /// Drops the first `count` values. Panics of destructors go into `panics`, recorded for node `index`; all others are still
    /// dropped. O(values).
    ///
    /// # Panics
    /// If there are fewer.
    pub(in crate::storage) fn drop_first(
        &mut self,
        count: usize,
        index: usize,
        panics: &PanicSlot,
    ) {
        let left = self.len.checked_sub(count).expect("there are fewer values");
        // Destructors do not reach the list. If one unwound nevertheless, values would be lost, and none dropped twice.
        self.len = 0;
        if self.info.needs_drop() {
            panics.catch_each(index, None, 0..count, |at| {
                // SAFETY: a live value of the type lies there. The list has none any more, so it is not used again, and each
                // place comes once.
                unsafe { self.info.drop_in_place(self.place(at)) };
            });
        }
        // SAFETY: the other values move to the front, in the same memory.
        unsafe { core::ptr::copy(self.place(count), self.start, left * self.info.size()) };
        self.len = left;
    }
}

impl Drop for ErasedVec {
    fn drop(&mut self) {
        drop_all(|panics| {
            self.drop_first(self.len, 0, panics);
            if self.info.size() > 0 && self.capacity > 0 {
                // SAFETY: the memory was allocated with this layout, and is not used any more.
                unsafe { std::alloc::dealloc(self.start, self.layout(self.capacity)) };
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of<C: 'static + Clone>(values: &[C]) -> ErasedVec {
        let mut list = ErasedVec::new(TypeInfo::of::<C>());
        for value in values {
            list.push_value(value.clone());
        }
        list
    }

    #[test]
    fn values_move_in_and_are_dropped_once() {
        let values = ["a", "b", "c", "d", "e", "f"].map(String::from);
        let mut list = of(&values);
        assert_eq!(list.as_slice::<String>(), values);
        // SAFETY: each of the four numbers is there.
        unsafe { list.permute_last(&[2, 0, 3, 1], &mut of::<String>(&[])) };
        assert_eq!(list.as_slice::<String>(), ["a", "b", "e", "c", "f", "d"].map(String::from));
        let panics = PanicSlot::new();
        list.drop_first(4, 0, &panics);
        let mut other = of(&values[..1]);
        other.append(&mut list);
        assert_eq!(other.as_slice::<String>(), ["a", "f", "d"].map(String::from));
        assert_eq!(list.len(), 0);
    }

    #[test]
    fn values_without_size_take_no_memory() {
        #[derive(Clone, Debug, PartialEq)]
        struct Tag;
        let mut list = of(&[Tag, Tag, Tag]);
        // SAFETY: both numbers are there.
        unsafe { list.permute_last(&[1, 0], &mut of::<Tag>(&[])) };
        list.drop_first(1, 0, &PanicSlot::new());
        assert_eq!(list.as_slice::<Tag>(), [Tag, Tag]);
    }

    #[test]
    fn all_values_are_dropped_though_one_panics() {
        use std::sync::Arc;

        struct Bomb(#[expect(dead_code, reason = "it counts")] Arc<()>, bool);
        impl Drop for Bomb {
            fn drop(&mut self) {
                assert!(!self.1, "bang");
            }
        }

        let count = Arc::new(());
        let mut list = ErasedVec::new(TypeInfo::of::<Bomb>());
        (0..4).for_each(|at| list.push_value(Bomb(count.clone(), at == 1)));
        let panics = PanicSlot::new();
        list.drop_first(3, 7, &panics);
        assert_eq!(panics.take().expect("one panicked").node, 7);
        assert_eq!((list.len(), Arc::strong_count(&count)), (1, 2));
        drop(list);
        assert_eq!(Arc::strong_count(&count), 1);
    }

    #[test]
    #[should_panic(expected = "another type")]
    fn a_list_has_one_type() {
        of(&[1_u32]).as_slice::<i32>();
    }
}
