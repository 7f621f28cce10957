//! The slots of all indices.

use core::num::NonZeroU32;

use super::buffer::SlotBuffer;
use super::packed::{MOST_WHOLE, Packed, PackedPages};
use super::row_estimate::RowEstimate;
use super::{Handles, PAGE_SLOTS, PAGE_WORDS, Slot, set};
use crate::entity::Entity;
use crate::entity::spare::Spare;
use crate::rows::{BLOCK_ROWS, PAGE_ROWS};

/// A page is packed once this many of its slots are spare. It then takes at most 1 488 of its 4 096 bytes if generations differ by
/// less than 2⁸, and 2 640 in any case.
const SPARE_TO_PACK: usize = PAGE_SLOTS / 4 * 3;
const _: () = assert!(PAGE_SLOTS - SPARE_TO_PACK <= MOST_WHOLE);

/// A slot for each index that there has ever been.
///
/// After a peak, most slots are spare. Pages of those can be [packed](Self::pack): then look-ups of their entities take
/// some steps more. A page is as before once one of its spare indices is used again.
#[derive(Debug)]
pub(in crate::entity) struct SlotTable {
    /// Those of packed pages are unwritten.
    slots: SlotBuffer,
    packed: PackedPages,
    pauses: PackingPauses,
    estimate: RowEstimate,
}

/// How often a table is not packed although it could be. If entities come in waves, it would soon be unpacked again, and packing
/// costs about as much as a wave.
#[derive(Debug, Default)]
struct PackingPauses {
    /// How many of the next calls of `shrink` do not pack.
    left: u32,
    /// The value of `left` after the latest wave: 0, 1, 3, then 7.
    last: u32,
    /// The number of packed pages after the latest packing; 0 once fewer than half of them still are.
    packed: usize,
    /// How many refreshes come before one that packs what was not packed in a pause; 0 if there is none.
    late: u32,
}

impl PackingPauses {
    const MOST: u32 = 7;
    /// The refreshes after which entities have not come in waves.
    const LATE: u32 = 64;

    /// Counts one call of `shrink`. Returns whether it packs.
    fn are_over(&mut self) -> bool {
        let are_over = self.left == 0;
        self.left = self.left.saturating_sub(1);
        self.late = if are_over { 0 } else { Self::LATE };
        are_over
    }

    /// Counts one refresh. Returns whether it packs.
    fn is_late(&mut self) -> bool {
        let is_last = self.late == 1;
        self.late = self.late.saturating_sub(1);
        is_last
    }

    /// Notes that a page was unpacked, and that `packed` pages still are. Fewer than half of those last packed are a wave.
    fn note(&mut self, packed: usize) {
        if packed < self.packed / 2 {
            self.packed = 0;
            self.last = (2 * self.last + 1).min(Self::MOST);
            self.left = self.last;
        }
    }
}

impl SlotTable {
    pub(in crate::entity) fn new() -> Self {
        Self {
            slots: SlotBuffer::new(),
            packed: PackedPages::default(),
            pauses: PackingPauses::default(),
            estimate: RowEstimate::new(),
        }
    }

    /// The number of indices that there have ever been.
    #[inline(always)]
    pub(in crate::entity) fn len(&self) -> usize {
        self.slots.len
    }

    /// The number of packed pages.
    #[cfg(test)]
    pub(in crate::entity) fn packed_pages(&self) -> usize {
        self.packed.count()
    }

    /// Whether look-ups expect the row with the number of the index.
    #[cfg(test)]
    pub(in crate::entity) fn expects_index(&self) -> bool {
        self.estimate.expects_index()
    }

    /// The slots, and the pages that are packed, to change several slots at once.
    pub(in crate::entity) fn parts(&mut self) -> (*mut Slot, &[Option<Packed>]) {
        (self.slots.start(), self.packed.as_slice())
    }

    /// The table, for look-ups.
    #[inline(always)]
    pub(in crate::entity) fn handles(&self) -> Handles<'_> {
        let expects_index = self.estimate.expects_index();
        Handles { slots: &self.slots, packed: &self.packed, expects_index }
    }

    /// Updates the [estimate](RowEstimate) of the entities by row, of which `moves` were moved. O(1).
    pub(in crate::entity) fn estimate(&mut self, rows: &[Entity], moves: usize) {
        self.estimate.update(rows, moves);
    }

    /// The slot of an index.
    ///
    /// # Panics
    /// If the index has never been.
    #[inline]
    pub(in crate::entity) fn get(&self, index: u32) -> Slot {
        let slot = self.slots[index as usize];
        if slot != Slot::UNWRITTEN {
            return slot;
        }
        self.packed.get(index as usize).unwrap_or(Slot::first(index as usize))
    }

    /// Changes the slot of an index. Returns false if there is no such index.
    ///
    /// # Panics
    /// If the page is packed and the index was spare then: [`use_again`](Self::use_again) comes first.
    #[inline(always)]
    pub(in crate::entity) fn try_set(&mut self, index: u32, to: Slot) -> bool {
        let Some(slot) = self.slots.get_mut(index as usize) else { return false };
        // SAFETY: the table is borrowed exclusively.
        unsafe { set(slot, self.packed.as_slice(), index as usize, to) };
        true
    }

    /// Makes the indices of these entities spare, if they are a sequence and no page is packed. Else nothing changes, and it returns
    /// false. The entities are the next ones with their indices.
    #[inline(always)]
    pub(in crate::entity) fn set_spare_sequence(&mut self, next: &[Entity; BLOCK_ROWS]) -> bool {
        // All rows may be without an index: `Entity::NEVER` has the largest one.
        let first = next[0].index();
        let is_next = |(at, entity): (u32, &Entity)| entity.index() == first.wrapping_add(at);
        if !self.packed.is_empty() || !(0..).zip(next).fold(true, |all, one| all & is_next(one)) {
            return false;
        }
        let slots = self.slots.get_mut(first as usize..);
        let Some(slots) = slots.and_then(|slots| slots.first_chunk_mut::<BLOCK_ROWS>()) else {
            return false;
        };
        slots.iter_mut().zip(next).for_each(|(slot, next)| *slot = Slot::spare(next.generation()));
        true
    }

    /// The same as [`try_set`](Self::try_set).
    ///
    /// # Panics
    /// If the index has never been.
    #[inline(always)]
    pub(in crate::entity) fn set(&mut self, index: u32, to: Slot) {
        let there_is = self.try_set(index, to);
        assert!(there_is, "the index {index} has never been");
    }

    /// Reserves memory for a [copy](Self::copy) of `from`.
    ///
    /// # Panics
    /// If the system refuses it. The table is unchanged.
    pub(in crate::entity) fn reserve_like(&mut self, from: &Self) {
        self.slots.reserve(from.len().saturating_sub(self.len()));
    }

    /// Reserves memory for `more` slots. Returns whether the system gives it; if not, the table is unchanged.
    #[inline]
    pub(in crate::entity) fn try_reserve(&mut self, more: usize) -> bool {
        self.slots.try_reserve(more)
    }

    /// Adds a slot.
    #[inline(always)]
    pub(in crate::entity) fn push(&mut self, slot: Slot) {
        self.slots.push(slot);
    }

    /// Adds slots.
    ///
    /// # Panics
    /// If the system refuses the memory.
    #[cfg(feature = "serde")]
    pub(in crate::entity) fn extend(&mut self, slots: impl ExactSizeIterator<Item = Slot>) {
        self.slots.extend(slots);
    }

    /// Adds free slots, so that there are at least `len`.
    ///
    /// # Panics
    /// If the system refuses the memory.
    pub(in crate::entity) fn extend_to(&mut self, len: usize) {
        let more = len.saturating_sub(self.len());
        self.slots.extend(core::iter::repeat_n(Slot::FREE, more));
    }

    /// Adds `count` slots for new rows from `first` on, which get the next indices: unwritten ones, where rows and indices have the same
    /// numbers and memory is 0, and otherwise free ones. So no handle may be looked up before all of these rows are occupied or withdrawn.
    ///
    /// # Panics
    /// If the system refuses the memory.
    pub(in crate::entity) fn extend_for_rows(&mut self, first: usize, count: usize) {
        if first != self.len() {
            return self.extend_to(self.len() + count);
        }
        self.slots.reserve(count);
        let written = self.slots.zero_from.saturating_sub(first).min(count);
        self.extend_to(first + written);
        self.slots.extend_unwritten(count - written);
    }

    /// Removes the slots from `len` on.
    pub(in crate::entity) fn truncate(&mut self, len: usize) {
        if len < self.len() {
            (len / PAGE_SLOTS..self.len().div_ceil(PAGE_SLOTS)).for_each(|page| self.unpack(page));
            self.slots.truncate(len);
        }
    }

    /// Gives back the memory behind the slots, but for that of some more, and [packs](Self::pack) pages, unless entities come in
    /// waves.
    pub(in crate::entity) fn shrink(&mut self, spare: &Spare) {
        self.slots.memory.shrink((self.len() + PAGE_ROWS) * size_of::<Slot>());
        if self.pauses.are_over() {
            self.pack(spare);
        }
    }

    /// Called by each refresh: packs what a pause has left, if no slots came into use since then. O(1) where nothing is packed.
    pub(in crate::entity) fn pack_late(&mut self, spare: &Spare) {
        if self.pauses.is_late() {
            self.pack(spare);
        }
    }

    /// Packs each page most of whose slots are `spare`, if that gives memory back. O(slots).
    pub(in crate::entity) fn pack(&mut self, spare: &Spare) {
        // Tests pack small tables, too.
        if !self.slots.memory.is_mapped() && !cfg!(test) {
            return;
        }
        let mut is_new = false;
        for page in 0..self.len() / PAGE_SLOTS {
            is_new |= self.pack_page(page, spare.words(page * PAGE_WORDS));
        }
        if is_new {
            self.release_packed();
            self.pauses.packed = self.packed.count();
        }
    }

    /// Packs a page if enough of its slots are spare. Returns whether it was not packed before.
    fn pack_page(&mut self, page: usize, spare: [u64; PAGE_WORDS]) -> bool {
        if !is_to_pack(spare) {
            return false;
        }
        if self.packed.contains(page) {
            if let Some(slots) = self.packed.slots_to_repack(page, count_ones(spare)) {
                self.packed.pack(page, &slots, spare);
            }
            return false;
        }
        let Some(slots) = self.slots[page * PAGE_SLOTS..].first_chunk_mut::<PAGE_SLOTS>() else {
            return false;
        };
        let is_packed = self.packed.pack(page, slots, spare);
        if is_packed {
            slots.fill(Slot::UNWRITTEN);
        }
        is_packed
    }

    /// Gives the memory of packed pages back. Their slots here are unwritten, which is 0, so they are so afterwards, too.
    fn release_packed(&mut self) {
        let mut run = 0..0;
        for page in 0..=self.len() / PAGE_SLOTS {
            if self.packed.contains(page) {
                run.end = page + 1;
                continue;
            }
            let [from, to] = [run.start, run.end].map(|page| page * PAGE_SLOTS * size_of::<Slot>());
            self.slots.memory.release(from, to);
            run = page + 1..page + 1;
        }
    }

    /// Unpacks a page, if it is packed.
    fn unpack(&mut self, page: usize) {
        if let Some(slots) = self.packed.unpack(page) {
            self.slots[page * PAGE_SLOTS..][..PAGE_SLOTS].copy_from_slice(&slots);
            self.pauses.note(self.packed.count());
        }
    }

    /// Prepares the slot of a spare index for its next use, and returns its next generation.
    #[inline]
    pub(in crate::entity) fn use_again(&mut self, index: u32) -> NonZeroU32 {
        if !self.packed.is_empty() {
            self.unpack(index as usize / PAGE_SLOTS);
        }
        self.handles().next_generation(index)
    }

    /// Prepares the slots of all spare indices up to the last one.
    pub(in crate::entity) fn use_all_again(&mut self, last: u32) {
        if !self.packed.is_empty() {
            (0..=last as usize / PAGE_SLOTS).for_each(|page| self.unpack(page));
        }
    }

    /// Becomes a copy of `from`, reusing its own memory. What is packed there is packed here.
    ///
    /// # Panics
    /// If the system refuses the memory.
    pub(in crate::entity) fn copy(&mut self, from: &Self) {
        let is_packed = |page| from.packed.contains(page) && !self.packed.contains(page);
        let is_new = (0..from.len() / PAGE_SLOTS).any(is_packed);
        self.slots.copy(&from.slots);
        self.estimate = from.estimate;
        self.packed.copy(&from.packed);
        self.pauses.packed = self.packed.count();
        if is_new {
            self.release_packed();
        }
    }
}

fn count_ones(words: [u64; PAGE_WORDS]) -> usize {
    words.iter().map(|word| word.count_ones() as usize).sum()
}

/// Whether a page with these spare slots is packed.
fn is_to_pack(spare: [u64; PAGE_WORDS]) -> bool {
    count_ones(spare) >= SPARE_TO_PACK
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::entity::few_cases;
    use crate::entity::slots::LAST_GENERATION;

    /// What an index is, in the simplest form.
    #[derive(Clone, Copy, Debug, PartialEq)]
    enum Index {
        Spare(NonZeroU32),
        Living(usize, NonZeroU32),
        OfFreeRow,
    }

    #[derive(Default)]
    struct Model {
        indices: Vec<Index>,
        spare: Spare,
    }

    #[derive(Clone, Debug)]
    enum Change {
        Spawn(usize),
        /// Of each hundred indices this many become spare, in an order that follows from the other number, after as many
        /// generations as that of the third has bits.
        Despawn(u32, u32, u32),
        Move(u32),
        Pack,
        Copy,
    }

    fn changes() -> impl Strategy<Value = Vec<Change>> {
        let change = prop_oneof![
            (0..1500_usize).prop_map(Change::Spawn),
            (0..101_u32, any::<u32>(), 0..32_u32).prop_map(|(a, b, c)| Change::Despawn(a, b, c)),
            any::<u32>().prop_map(Change::Move),
            Just(Change::Pack),
            Just(Change::Copy),
        ];
        proptest::collection::vec(change, 1..24)
    }

    /// A random number below `end` for an index.
    fn roll(seed: u32, index: usize, end: u32) -> u32 {
        let hash = (u64::from(seed) << 32 | index as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        ((hash ^ hash >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 33) as u32 % end
    }

    fn spawn(table: &mut SlotTable, model: &mut Model) {
        let (index, generation) = if let Some(index) = model.spare.pop() {
            (index, table.use_again(index))
        } else {
            let index = model.indices.len();
            let entity = Entity::new(index as u32, NonZeroU32::MIN);
            // Some as `create` adds them, others as `spare_entity`.
            table.push(if index.is_multiple_of(3) {
                Slot::FREE
            } else {
                Slot::living(row_of(index), entity)
            });
            model.indices.push(Index::OfFreeRow);
            (index as u32, NonZeroU32::MIN)
        };
        let place = &mut model.indices[index as usize];
        match *place {
            Index::Spare(next) => assert_eq!(next, generation),
            _ => assert_eq!(generation, NonZeroU32::MIN),
        }
        let row = row_of(index as usize);
        *place = Index::Living(row, generation);
        table.set(index, Slot::living(row, Entity::new(index, generation)));
    }

    /// The row of a new entity, which in most pages has the number of its index.
    fn row_of(index: usize) -> usize {
        if index / PAGE_SLOTS % 4 == 3 { index + 7 } else { index }
    }

    fn despawn(table: &mut SlotTable, model: &mut Model, (part, seed, bits): (u32, u32, u32)) {
        for (index, place) in model.indices.iter_mut().enumerate() {
            let Index::Living(_, generation) = *place else { continue };
            if roll(seed, index, 100) >= part {
                continue;
            }
            if roll(seed, index, 50) == 0 {
                *place = Index::OfFreeRow;
                table.set(index as u32, Slot::FREE);
                continue;
            }
            let next = generation.get().saturating_add(roll(!seed, index, 1 << bits) + 1);
            let next = NonZeroU32::new(next).unwrap().min(LAST_GENERATION);
            *place = Index::Spare(next);
            table.set(index as u32, Slot::spare(next));
            model.spare.insert(index as u32);
        }
    }

    fn check(table: &SlotTable, model: &Model) {
        assert_eq!(table.len(), model.indices.len());
        for (index, &is) in (0..).zip(&model.indices) {
            let (slot, row) = match is {
                Index::Spare(next) => (Slot::spare(next), None),
                Index::OfFreeRow => (Slot::FREE, None),
                Index::Living(row, generation) => {
                    (Slot::living(row, Entity::new(index, generation)), Some((row, generation)))
                }
            };
            assert_eq!(table.get(index), slot);
            for generation in [1, 2, 3, row.map_or(4, |(_, generation)| generation.get())] {
                let handle = Entity::new(index, NonZeroU32::new(generation).unwrap());
                let found = row.filter(|&(_, own)| own == handle.generation());
                assert_eq!(table.handles().row(handle), found.map(|(row, _)| row));
            }
        }
    }

    proptest! {
        #![proptest_config(few_cases())]

        #[test]
        fn slots_are_the_same_whether_pages_are_packed(
            changes in changes(),
            are_mapped in any::<[bool; 2]>(),
        ) {
            let [mut table, mut copy] = are_mapped.map(|is_mapped| {
                let mut table = SlotTable::new();
                table.slots.reserve(if is_mapped { 1 << 18 } else { 0 });
                table
            });
            let mut model = Model::default();
            for change in changes {
                match change {
                    Change::Spawn(count) => (0..count).for_each(|_| spawn(&mut table, &mut model)),
                    Change::Despawn(part, seed, bits) => {
                        despawn(&mut table, &mut model, (part, seed, bits));
                    }
                    Change::Move(seed) => {
                        for (index, place) in model.indices.iter_mut().enumerate() {
                            if let Index::Living(row, generation) = place {
                                *row = roll(seed, index, 1 << 30) as usize;
                                let entity = Entity::new(index as u32, *generation);
                                table.set(index as u32, Slot::living(*row, entity));
                            }
                        }
                    }
                    Change::Pack => table.pack(&model.spare),
                    Change::Copy => {
                        // The older copy goes on, so that each is written over the other.
                        copy.copy(&table);
                        core::mem::swap(&mut copy, &mut table);
                    }
                }
                check(&table, &model);
            }
        }
    }

    #[cfg(all(unix, not(miri)))]
    #[test]
    fn slots_of_packed_pages_of_a_mapping_are_unwritten() {
        let (mut table, mut model) = (SlotTable::new(), Model::default());
        (0..300 * PAGE_SLOTS).for_each(|_| spawn(&mut table, &mut model));
        assert!(table.slots.memory.is_mapped());
        despawn(&mut table, &mut model, (90, 1, 0));
        table.shrink(&model.spare);
        assert_eq!(table.packed.count(), 300);
        assert!(table.slots.iter().all(|slot| *slot == Slot::UNWRITTEN));
        check(&table, &model);
        while model.spare.len() > 0 {
            spawn(&mut table, &mut model);
        }
        check(&table, &model);
    }

    #[cfg(all(unix, not(miri)))]
    #[test]
    fn first_slots_are_not_written_in_memory_that_was_never_written() {
        let mut table = SlotTable::new();
        // The heap has these, and then the mapping.
        table.extend_to(1000);
        assert_eq!(table.slots.zero_from, usize::MAX);
        table.extend_for_rows(1000, 300 * PAGE_SLOTS);
        let (unwritten, len) = (table.slots.zero_from, table.len());
        assert!(unwritten + 1000 < len && table.slots.memory.is_mapped());
        for index in [0, 999, 1000, unwritten - 1, unwritten, len - 1] {
            let slot = if index < unwritten { Slot::FREE } else { Slot::first(index) };
            assert_eq!(table.get(index as u32), slot);
        }
        for index in 1000..unwritten {
            table.set(index as u32, Slot::first(index));
        }
        let marked = table.slots.start().wrapping_add(len + 1);
        // SAFETY: the table has memory for some more slots, and is not used meanwhile.
        unsafe { marked.write(Slot::FREE) };
        (len..len + 3).for_each(|index| table.push(Slot::first(index)));
        assert_eq!(table.get(len as u32 + 1), Slot::FREE, "its memory was said to be 0");
        // What was written once is written again.
        table.truncate(len);
        table.extend_for_rows(len, 3);
        assert_eq!(table.get(len as u32 + 1), Slot::FREE);
        // Rows and indices have other numbers.
        table.extend_for_rows(len + 4, 3);
        assert_eq!(table.get(len as u32 + 4), Slot::FREE);
        table.truncate(len - 5);
        (len - 5..len + 4).for_each(|index| table.push(Slot::first(index)));
        assert!((1000..len + 4).all(|index| table.get(index as u32) == Slot::first(index)));
        let mut copy = SlotTable::new();
        copy.extend_to(77);
        copy.slots.reserve(table.len());
        let page = copy.slots.zero_from.max(unwritten).next_multiple_of(PAGE_SLOTS) + 77;
        let marked = copy.slots.start().wrapping_add(page);
        // SAFETY: as above.
        unsafe { marked.write(Slot::FREE) };
        copy.copy(&table);
        assert_eq!(copy.get(page as u32), Slot::FREE, "its memory was said to be 0");
        copy.set(page as u32, Slot::first(page));
        assert!((0..table.len() as u32).all(|index| copy.get(index) == table.get(index)));
    }

    #[test]
    fn copies_are_the_same_whether_pages_are_packed() {
        let (mut whole, mut model) = (SlotTable::new(), Model::default());
        (0..3 * PAGE_SLOTS + 9).for_each(|_| spawn(&mut whole, &mut model));
        let (mut packed, mut other) = (SlotTable::new(), Model::default());
        (0..5 * PAGE_SLOTS + 3).for_each(|_| spawn(&mut packed, &mut other));
        despawn(&mut packed, &mut other, (90, 1, 3));
        packed.pack(&other.spare);
        assert!(packed.packed_pages() > 0);
        check(&packed, &other);
        let mut copy = SlotTable::new();
        for _ in 0..2 {
            copy.copy(&whole);
            check(&copy, &model);
            copy.copy(&packed);
            check(&copy, &other);
        }
    }

    #[test]
    fn a_table_in_waves_is_seldom_packed() {
        let (mut table, mut model) = (SlotTable::new(), Model::default());
        (0..20 * PAGE_SLOTS).for_each(|_| spawn(&mut table, &mut model));
        let mut wave = |seed| {
            despawn(&mut table, &mut model, (90, seed, 0));
            let before = table.packed.count();
            table.shrink(&model.spare);
            let is_packed = table.packed.count() > before;
            // Not all are used again.
            (0..15 * PAGE_SLOTS).for_each(|_| spawn(&mut table, &mut model));
            check(&table, &model);
            is_packed
        };
        let packed: Vec<u32> = (0..40).filter(|&seed| wave(seed)).collect();
        assert_eq!(packed, [0, 2, 6, 14, 22, 30, 38]);
    }

    #[test]
    fn what_a_pause_has_left_is_packed_later() {
        let (mut table, mut model) = (SlotTable::new(), Model::default());
        (0..4 * PAGE_SLOTS).for_each(|_| spawn(&mut table, &mut model));
        table.pauses.left = 1;
        despawn(&mut table, &mut model, (90, 1, 0));
        table.shrink(&model.spare);
        let late = (0..200).filter(|_| {
            let before = table.packed.count();
            table.pack_late(&model.spare);
            table.packed.count() > before
        });
        assert_eq!(late.collect::<Vec<_>>(), [PackingPauses::LATE as usize - 1]);
        check(&table, &model);
    }

    #[test]
    fn after_a_peak_a_page_has_one_word_for_each_entity_that_is_left() {
        let (mut table, mut model) = (SlotTable::new(), Model::default());
        (0..40 * PAGE_SLOTS).for_each(|_| spawn(&mut table, &mut model));
        table.pack(&model.spare);
        assert!(table.packed.is_empty(), "no index is spare");
        despawn(&mut table, &mut model, (90, 1, 0));
        table.pack(&model.spare);
        let bytes = |table: &SlotTable| {
            let pages = table.packed.as_slice();
            assert_eq!(pages.iter().flatten().count(), 40);
            pages.iter().flatten().map(Packed::bytes).sum::<usize>()
        };
        let left = table.len() - model.spare.len();
        assert_eq!(bytes(&table), 8 * left + 40 * 80, "all have the second generation next");
        // Most of those that were left are gone, too.
        despawn(&mut table, &mut model, (95, 2, 0));
        table.pack(&model.spare);
        let left = table.len() - model.spare.len();
        assert!(
            bytes(&table) < 8 * left + 40 * (80 + PAGE_SLOTS / 8),
            "a bit tells two generations apart"
        );
        check(&table, &model);
        while model.spare.len() > 0 {
            spawn(&mut table, &mut model);
        }
        assert!(table.packed.is_empty(), "all are in use again");
        check(&table, &model);
    }
}
