//! Memory that grows: a block of the heap while it is small, pages of the operating system once it is large.

use std::alloc;

#[cfg(all(unix, not(miri)))]
use mapping::Mapping;

/// What follows from how values lie in a memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    /// At least half of the rows up to the last one have values, or nothing is known of them.
    Dense,
    /// Fewer have values, or rows lie by archetype.
    Sparse,
    /// Entries are looked up in any order, and any page may be given back, so no huge pages are asked for.
    Table,
}

impl Use {
    /// The most bytes that lie in the heap, where memory that was freed before is used again. A larger block is mapped, and
    /// its gaps take no memory.
    const fn most_in_heap(self) -> usize {
        match self {
            Self::Dense | Self::Table => 1 << 20,
            Self::Sparse => 1 << 16,
        }
    }

    /// Where the bytes begin in a mapping, for memory number `number` of a world.
    ///
    /// Mappings begin at multiples of large powers of two. Values at equal distances from the start of several
    /// columns, which a loop reads together, would compete for the same lines of a cache. So each memory begins
    /// elsewhere: by nine pages more, as gaps should begin with a page, and two lines of a cache where there are none.
    /// One page more is not enough: AMD processors look a line up by a hash of its address (M. Lipp and others, *Take A
    /// Way*, 2020), in which the distance of two mappings and that of one page can cancel out.
    #[cfg_attr(any(not(unix), miri), expect(dead_code, reason = "there are no mappings"))]
    const fn offset(self, number: usize) -> usize {
        number % 15 * (9 * 4096 + if matches!(self, Self::Dense) { 128 } else { 0 })
    }
}

/// Bytes at one address, with an alignment. It owns memory, not values: it never reads, writes or drops them.
///
/// A block of the heap grows by copying. A mapping is address space: the operating system gives it memory page by page,
/// as its bytes are first written, and takes the memory back where [`release`](Self::release) says so. It is made with
/// room to grow, and moves without a copy when it outgrows that room (on Linux).
#[derive(Debug)]
pub(crate) struct Memory {
    start: *mut u8,
    len: usize,
    align: usize,
    /// That of the memory in its world.
    #[cfg_attr(any(not(unix), miri), expect(dead_code, reason = "there are no mappings"))]
    number: usize,
    place: Place,
}

/// What is to be freed.
#[derive(Debug)]
enum Place {
    /// There are no bytes.
    Nowhere,
    Heap,
    #[cfg(all(unix, not(miri)))]
    Mapped(Mapping),
}

impl Memory {
    /// No bytes, at an address of this alignment. `number` is that of the memory in its world.
    pub(crate) const fn empty(align: usize, number: usize) -> Self {
        let start = core::ptr::without_provenance_mut(align);
        Self { start, len: 0, align, number, place: Place::Nowhere }
    }

    /// The address of the first byte. It changes when the memory grows or shrinks.
    #[inline(always)]
    pub(crate) fn start(&self) -> *mut u8 {
        self.start
    }

    /// The number of bytes.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Whether it [gives back](Self::release) single pages.
    pub(crate) fn is_mapped(&self) -> bool {
        !matches!(self.place, Place::Nowhere | Place::Heap)
    }

    /// The use of a column that the memory suits: `Sparse` if it is a mapping without huge pages.
    pub(crate) fn of(&self) -> Use {
        #[cfg(all(unix, not(miri)))]
        if let Place::Mapped(mapping) = &self.place
            && !mapping.is_huge()
        {
            return Use::Sparse;
        }
        Use::Dense
    }

    /// Makes room for at least `least` bytes, which are used as `of` says; what is mapped already stays as it is. All bytes
    /// that are there keep their values. `most` is the largest number that there can ever be. Nothing has changed after an
    /// error, which has what the system refuses.
    ///
    /// # Panics
    /// If `least` is larger than the address space.
    #[cold]
    pub(crate) fn grow(&mut self, least: usize, most: usize, of: Use) -> Result<(), alloc::Layout> {
        if least <= self.len {
            return Ok(());
        }
        #[cfg(all(unix, not(miri)))]
        if least > of.most_in_heap() && self.align <= mapping::ALIGN && self.map(least, most, of) {
            return Ok(());
        }
        // A small block has four times as many bytes then: so fewer are copied. A large one has twice as many.
        let larger = self.len.saturating_mul(4).min(of.most_in_heap());
        let len = least.max(larger).max(self.len.saturating_mul(2)).min(most.max(least));
        self.move_to_heap(len)
    }

    /// Continues in a mapping. Returns whether the system gives one.
    #[cfg(all(unix, not(miri)))]
    fn map(&mut self, least: usize, most: usize, of: Use) -> bool {
        if let Place::Mapped(mapping) = &mut self.place
            && mapping.grow(least, most)
        {
            (self.start, self.len) = mapping.bytes();
            return true;
        }
        let offset = of.offset(self.number).next_multiple_of(self.align);
        let huge = matches!(of, Use::Dense);
        let Some(mapping) = Mapping::new(offset, least, most, huge) else { return false };
        let (start, len) = mapping.bytes();
        // SAFETY: both blocks have at least `self.len` bytes, and the new one is apart from the old one.
        unsafe { core::ptr::copy_nonoverlapping(self.start, start, self.len) };
        self.free();
        (self.start, self.len, self.place) = (start, len, Place::Mapped(mapping));
        true
    }

    /// Moves to a block of `len` bytes of the heap, with as many of the first bytes as that has. An error has what the heap
    /// refuses.
    fn move_to_heap(&mut self, len: usize) -> Result<(), alloc::Layout> {
        let layout = self.layout(len);
        if let Place::Heap = self.place {
            // SAFETY: the block was allocated with this layout. The new size is not 0, as no block is grown or shrunk to
            // nothing, and `layout` has shown that it is not too large for the alignment.
            let start = unsafe { alloc::realloc(self.start, self.layout(self.len), len) };
            if start.is_null() {
                return Err(layout);
            }
            (self.start, self.len) = (start, len);
            return Ok(());
        }
        // SAFETY: the size is not 0, as above.
        let start = unsafe { alloc::alloc(layout) };
        if start.is_null() {
            return Err(layout);
        }
        // SAFETY: both blocks have as many bytes, and the new one is apart from the old one.
        unsafe { core::ptr::copy_nonoverlapping(self.start, start, self.len.min(len)) };
        self.free();
        (self.start, self.len, self.place) = (start, len, Place::Heap);
        Ok(())
    }

    fn layout(&self, len: usize) -> alloc::Layout {
        alloc::Layout::from_size_align(len, self.align)
            .expect("the memory is larger than the address space")
    }

    /// Gives back all memory.
    fn free(&mut self) {
        let (start, layout) = (self.start, self.layout(self.len));
        self.start = core::ptr::without_provenance_mut(self.align);
        self.len = 0;
        if let Place::Heap = core::mem::replace(&mut self.place, Place::Nowhere) {
            // SAFETY: the block was allocated with this layout, and is freed once, as it is forgotten before.
            unsafe { alloc::dealloc(start, layout) };
        }
    }

    /// Gives back the memory of all bytes but the first `len`. Of a mapping, the address space stays.
    pub(crate) fn shrink(&mut self, len: usize) {
        match &self.place {
            Place::Heap if len == 0 => self.free(),
            // Without memory for a smaller block, the larger one stays.
            Place::Heap if len <= self.len / 2 => drop(self.move_to_heap(len)),
            #[cfg(all(unix, not(miri)))]
            Place::Mapped(_) if len == 0 => self.free(),
            _ => self.release(len, self.len),
        }
    }

    /// Gives back the memory of the bytes from `from` to `to`, in whole pages of a mapping. Each byte there is 0 afterwards, or as
    /// before: where all were 0, all are. No other value may be needed there.
    pub(crate) fn release(&mut self, from: usize, to: usize) {
        #[cfg(all(unix, not(miri)))]
        if let Place::Mapped(mapping) = &mut self.place {
            mapping.release(from, to.min(self.len));
        }
        let _ = (from, to);
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        self.free();
    }
}

#[cfg(all(unix, not(miri)))]
mod mapping {
    //! Mappings of the operating system.

    use memmap2::{MmapOptions, MmapRaw, UncheckedAdvice};

    /// The alignment of a mapping, at least.
    pub(super) const ALIGN: usize = 4096;
    /// The size of a page, or a multiple of it.
    const PAGE: usize = if cfg!(target_arch = "x86_64") { 4096 } else { 1 << 16 };
    /// A new mapping has room for this many times the bytes that are needed, and for no less than [`LEAST`].
    const ROOM: usize = 8;
    /// In bytes.
    const LEAST: usize = 64 << 20;

    /// Address space whose pages get memory when they are first written.
    #[derive(Debug)]
    pub(super) struct Mapping {
        map: MmapRaw,
        /// The bytes begin here.
        offset: usize,
        /// Whether it was made for huge pages.
        huge: bool,
    }

    impl Mapping {
        /// Room for at least `least` bytes from `offset` on, in `huge` pages if there are some; `None` if the system
        /// refuses that.
        pub(super) fn new(offset: usize, least: usize, most: usize, huge: bool) -> Option<Self> {
            let map = |len| MmapOptions::new().len(len).no_reserve_swap().map_anon().ok();
            let map = lens(offset, least, most).find_map(map)?;
            let map = MmapRaw::from(map);
            #[cfg(target_os = "linux")]
            if huge {
                // A hint, which not every kernel takes.
                let _ = map.advise(memmap2::Advice::HugePage);
            }
            Some(Self { map, offset, huge })
        }

        pub(super) fn is_huge(&self) -> bool {
            self.huge
        }

        /// The address of the first byte, and the number of bytes.
        pub(super) fn bytes(&self) -> (*mut u8, usize) {
            (self.map.as_mut_ptr().wrapping_add(self.offset), self.map.len() - self.offset)
        }

        /// Makes room for at least `least` bytes, perhaps at another address. Returns whether the system does that.
        #[cfg(target_os = "linux")]
        pub(super) fn grow(&mut self, least: usize, most: usize) -> bool {
            lens(self.offset, least, most).any(|len| {
                let options = memmap2::RemapOptions::new().may_move(true);
                // SAFETY: no pointer into the mapping is used after this, but for those that are made anew. There is
                // no file that could end before the mapping.
                unsafe { self.map.remap(len, options) }.is_ok()
            })
        }

        #[cfg(not(target_os = "linux"))]
        pub(super) fn grow(&mut self, _: usize, _: usize) -> bool {
            false
        }

        /// Gives the memory of the whole pages between these bytes back.
        pub(super) fn release(&mut self, from: usize, to: usize) {
            let [from, to] = [from, to].map(|byte| self.offset + byte);
            let (from, to) = (from.next_multiple_of(PAGE), to / PAGE * PAGE);
            if from < to {
                // SAFETY: the range lies in the mapping, which is anonymous and private. So its bytes stay readable, and are 0 or as
                // before. By the contract no value is needed there that is not 0. On an error the memory stays.
                let _ = unsafe {
                    self.map.unchecked_advise_range(UncheckedAdvice::DontNeed, from, to - from)
                };
            }
        }
    }

    /// The lengths to try: with much room, and with none.
    fn lens(offset: usize, least: usize, most: usize) -> impl Iterator<Item = usize> {
        let much = least.saturating_mul(ROOM).max(LEAST).min(most.max(least));
        let whole = move |len: usize| len.checked_add(offset)?.checked_next_multiple_of(PAGE);
        [much, least].into_iter().filter_map(whole)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The places in the first `len` bytes that are looked at.
    fn places(memory: &Memory, len: usize) -> impl Iterator<Item = (usize, *mut usize)> {
        #[expect(clippy::cast_ptr_alignment, reason = "it is asserted")]
        let start = memory.start().cast::<usize>();
        assert!(len <= memory.len() && start.is_aligned());
        (0..len / size_of::<usize>()).step_by(509).map(move |at| (at, start.wrapping_add(at)))
    }

    fn write(memory: &mut Memory, len: usize) {
        // SAFETY: each place is in the memory, and aligned.
        places(memory, len).for_each(|(at, place)| unsafe { place.write(at) });
    }

    fn assert_written(memory: &Memory, len: usize) {
        for (at, place) in places(memory, len) {
            // SAFETY: each place is in the memory, and `write` has written there.
            assert_eq!(unsafe { place.read() }, at);
        }
    }

    #[test]
    fn values_stay_where_memory_grows_from_the_heap_to_a_mapping_and_moves() {
        let mut memory = Memory::empty(64, 3);
        let mut written = 0;
        for least in [8, 4096, 100_000, 1 << 20, (1 << 20) + 1, 5 << 20, 600 << 20] {
            memory.grow(least, usize::MAX, Use::Dense).unwrap();
            assert!(memory.len() >= least && memory.start().addr().is_multiple_of(64));
            assert_written(&memory, written);
            written = memory.len().min(6 << 20);
            write(&mut memory, written);
        }
        memory.shrink(1 << 20);
        assert_written(&memory, 1 << 20);
        memory.shrink(0);
        assert_eq!(memory.len(), 0);
    }

    #[test]
    fn what_is_given_back_can_be_written_again() {
        let mut memory = Memory::empty(8, 1);
        memory.grow(3 << 20, 3 << 20, Use::Sparse).unwrap();
        write(&mut memory, 3 << 20);
        memory.release(1 << 20, 2 << 20);
        assert_written(&memory, 1 << 20);
        write(&mut memory, 3 << 20);
        assert_written(&memory, 3 << 20);
    }

    #[test]
    fn large_alignments_are_those_of_the_heap() {
        let mut memory = Memory::empty(1 << 16, 2);
        memory.grow(2 << 20, usize::MAX, Use::Dense).unwrap();
        assert!(memory.start().addr().is_multiple_of(1 << 16));
    }
}
