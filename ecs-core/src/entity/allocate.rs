//! Allocates and frees the rows of many entities at once, in parallel.

use core::mem::MaybeUninit;
use core::num::NonZeroU32;

use super::metadata::{Entities, ROW_BYTES};
use super::slots::{LAST_GENERATION, Packed, Slot, set};
use super::{AllocatedRows, Entity, refused_growth};
use crate::parallel::{Workers, fork_chunks};
use crate::rows::{BLOCK_ROWS, BLOCKS_PER_PAGE, PAGE_ROWS, bits, end_of, rows_of};
use crate::types::prefetch;

/// Rows that are added by one task of one thread.
const CHUNK: usize = 4 * PAGE_ROWS;

/// Lengths of the tables of [`Entities`], and the extent of an archetype's rows, at one point in
/// time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lengths {
    archetype: usize,
    pages: usize,
    end: usize,
    rows: usize,
    slots: usize,
}

impl Entities {
    /// Allocates the lowest free rows of an archetype to `count` new entities, and counts these as
    /// alive. Returns how many fit; `dead` further entities count towards the limit. The rows are
    /// appended to `blocks` in ascending order. [`occupy`](Self::occupy) must then enter each row
    /// into the table of handles.
    ///
    /// The `k`-th entity gets the row that the `k`-th call of [`create`](Self::create) would give
    /// it. O(blocks looked at + new rows).
    ///
    /// # Panics
    /// If the system refuses the memory. Then no rows are allocated.
    pub(crate) fn allocate(
        &mut self,
        archetype: usize,
        count: usize,
        dead: usize,
        blocks: &mut Vec<AllocatedRows>,
        workers: &Workers,
    ) -> usize {
        while self.count + dead + count > self.capacity && self.grow().is_ok() {}
        let count = count.min(self.capacity - self.count - dead);
        if count == 0 {
            return 0;
        }
        let (before, others) = (blocks.last().map_or(0, |last| last.end() as u32), blocks.len());
        let this = &mut self.archetypes.list[archetype];
        if this.free_rows != 0 {
            // The block of the free rows that were found is searched again.
            this.search_from(this.next_block - 1);
        }
        let (mut done, mut end) = (0, 0);
        while done < count {
            let Some(first) = self.archetypes.next_block(archetype) else { break };
            let (alive, withheld) = (&mut self.alive, &self.withheld);
            let mut last = None;
            let allocated = alive.fill(
                first,
                count - done,
                |block| withheld.word(block),
                |block, rows, earlier| {
                    let first = before + (done + earlier) as u32;
                    blocks.push(AllocatedRows { block: block as u32, first, rows });
                    last = Some((block, rows));
                },
            );
            done += allocated;
            let this = &mut self.archetypes.list[archetype];
            // Either the whole page was searched, or the last block may have more free rows.
            let mut next = (this.next_block / BLOCKS_PER_PAGE + 1) * BLOCKS_PER_PAGE;
            if let Some((block, rows)) = last {
                let position = this.next_block + (block - first);
                end = end.max(end_of(block, rows));
                this.end = this.end.max(end_of(position, rows));
                if done == count {
                    next = position;
                }
            }
            this.next_block = next;
        }
        self.archetypes.list[archetype].count += done;
        self.count += done;
        if !self.try_reserve_tables(end, done) {
            for AllocatedRows { block, rows, .. } in blocks.drain(others..) {
                self.alive.clear(block as usize, rows);
                self.freed(block as usize, rows.count_ones() as usize);
            }
            refused_growth(end.saturating_mul(ROW_BYTES));
        }
        // With several archetypes not all rows up to the last one are allocated, and only those get an
        // index. Otherwise all new rows are, and several threads write them. (Between a checkpoint and
        // `shorten`, all rows get their indices in one of these ways.)
        if self.archetypes.several || self.without_index > 0 || !self.newly_indexed.is_empty() {
            self.extend_rows(end);
            self.assign_indices(&blocks[others..]);
        } else {
            self.add_rows(end, workers);
        }
        done
    }

    /// Gives an index to each of these rows that has none, in order.
    fn assign_indices(&mut self, allocated: &[AllocatedRows]) {
        if self.without_index == 0 {
            return;
        }
        for &AllocatedRows { block, rows, .. } in allocated {
            let first = block as usize * BLOCK_ROWS;
            let new = bits(rows).filter(|&bit| self.rows[first + bit].is_never());
            let new = new.fold(0, |new, bit| new | 1 << bit);
            if new == 0 {
                continue;
            }
            for bit in bits(new) {
                self.rows[first + bit] = self.spare_entity();
            }
            self.without_index -= new.count_ones() as usize;
            self.newly_indexed.push((block, new));
        }
    }

    /// Extends the table of rows to at least `end` rows. They get spare indices first, then new
    /// ones, as from [`spare_entity`](Self::spare_entity).
    fn add_rows(&mut self, end: usize, workers: &Workers) {
        let Some(count) = end.checked_sub(self.rows.len()).filter(|&count| count > 0) else {
            return;
        };
        let again = self.spare.len().min(count);
        if again > 0 {
            self.spare.number();
            if let Some(last) = self.spare.from(again - 1).next() {
                self.slots.use_all_again(last);
            }
        }
        let first_new = self.slots.len();
        self.slots.extend_for_rows(self.rows.len() + again, count - again);
        let (handles, spare) = (self.slots.handles(), &self.spare);
        let rows = &mut self.rows.spare_capacity_mut()[..count];
        fork_chunks(workers, rows, CHUNK, &|first, rows: &mut [MaybeUninit<Entity>]| {
            let (old, new) = rows.split_at_mut(again.saturating_sub(first).min(rows.len()));
            let mut left = old.iter_mut();
            spare.from(first.min(again)).take(left.len()).for_each(|index| {
                let row = left.next().expect("no more are taken");
                row.write(Entity::new(index, handles.next_generation(index)));
            });
            assert!(left.as_slice().is_empty(), "as many indices as there are rows for them");
            let first_new = first_new + (first + old.len()).saturating_sub(again);
            for (row, index) in new.iter_mut().zip(first_new as u32..) {
                row.write(Entity::new(index, NonZeroU32::MIN));
            }
        });
        self.spare.remove_lowest(again);
        let len = self.rows.len() + count;
        // SAFETY: there is memory for `count` more rows, as the slice of them shows, and each of them was just
        // written: the pieces cover all `count` rows, and in each piece the first loop writes the
        // rows of `old`, the second one the rows of `new`.
        unsafe { self.rows.set_len(len) };
    }

    /// The number of further entities that fit before the world grows.
    pub(crate) fn reserved(&self) -> usize {
        self.capacity - self.count
    }

    /// The number of further entities that fit when the world has grown as far as its limit allows.
    pub(crate) fn room(&self) -> usize {
        self.most - self.count
    }

    /// Enters the entity of an allocated row into the table of handles.
    pub(crate) fn occupy(&mut self, row: usize) {
        let entity = self.rows[row];
        self.slots.set(entity.index(), Slot::living(row, entity));
    }

    /// Enters the entities of allocated rows into the table of handles.
    ///
    /// # Panics
    /// If a row is not in the table.
    pub(crate) fn occupy_all(&mut self, allocated: &[AllocatedRows]) {
        let tables = self.tables();
        for &AllocatedRows { block, rows, .. } in allocated {
            assert!(end_of(block as usize, rows) <= tables.len(), "a row is not in the table");
            // SAFETY: the rows are in the table, and `self` is borrowed exclusively.
            unsafe { tables.occupy_rows(block as usize, rows) };
        }
    }

    /// The lengths of the tables and the extent of an archetype's rows, to which
    /// [`shorten`](Self::shorten) restores them; see [`withdraw`](Self::withdraw). From here on, rows
    /// that get an index are recorded.
    pub(crate) fn checkpoint(&mut self, archetype: usize) -> Lengths {
        self.newly_indexed.clear();
        let this = &self.archetypes.list[archetype];
        let (pages, end) = (this.pages.len(), this.end);
        Lengths { archetype, pages, end, rows: self.rows.len(), slots: self.slots.len() }
    }

    /// Frees rows of a block that were allocated after these lengths were taken. The rows must have
    /// no components, and no handle to their entities may have been given out. Once all rows
    /// allocated since then, or all from some row on, are free again, [`shorten`](Self::shorten)
    /// restores the tables.
    pub(crate) fn withdraw(&mut self, block: usize, rows: u64) {
        let gone = self.alive.clear(block, rows);
        for row in rows_of(block, gone) {
            self.slots.set(self.rows[row].index(), Slot::FREE);
        }
        self.freed(block, gone.count_ones() as usize);
    }

    /// As [`withdraw`](Self::withdraw), if user code has seen the handles: the rows get other ones.
    pub(crate) fn withdraw_seen(&mut self, block: usize, rows: u64) {
        self.withdraw(block, rows);
        for row in rows_of(block, rows) {
            match successor(self.rows[row]) {
                Some(next) => self.rows[row] = next,
                None => self.replace_retired(row),
            }
        }
    }

    /// Counts `count` rows of a page as free. None of them lies before the block.
    pub(crate) fn freed(&mut self, block: usize, count: usize) {
        let (archetype, first) = self.archetypes.with_gap_in(block / BLOCKS_PER_PAGE);
        archetype.count -= count;
        archetype.search_from(first + block % BLOCKS_PER_PAGE);
        self.count -= count;
    }

    /// Removes the free rows at the end of the table, with their indices, as far as both are newer
    /// than `before`. Indices that were spare become spare again. Rows before them that got an index
    /// since then, and are free again, lose it.
    pub(crate) fn shorten(&mut self, before: Lengths) {
        let end = self.find_end(before.archetype, before.end);
        let needed = end.div_ceil(PAGE_ROWS).max(before.pages);
        self.archetypes.release(before.archetype, needed, |_| ());
        self.take_back_indices(before.slots);
        while self.rows.len() > before.rows && !self.alive.contains(self.rows.len() - 1) {
            // `add_rows` gives new indices to rows in ascending order.
            let is_new = |last: &Entity| !last.is_never() && last.index() as usize >= before.slots;
            if self.rows.last().is_some_and(is_new) {
                self.rows.pop();
                self.slots.truncate(self.slots.len() - 1);
            } else {
                self.end_rows(self.rows.len() - 1);
            }
        }
    }

    /// Takes back the indices that rows got since the last [checkpoint](Self::checkpoint), if the
    /// rows are free again. Slots from `slots` on were added since then.
    fn take_back_indices(&mut self, slots: usize) {
        while let Some((block, rows)) = self.newly_indexed.pop() {
            let free = rows & !self.alive.word(block as usize);
            // The last row first, which may have the last index.
            for bit in (0..BLOCK_ROWS).rev().filter(|bit| free >> bit & 1 == 1) {
                let row = &mut self.rows[block as usize * BLOCK_ROWS + bit];
                let next = core::mem::replace(row, Entity::NEVER);
                let index = next.index() as usize;
                self.without_index += 1;
                if index >= slots && index + 1 == self.slots.len() {
                    self.slots.truncate(index);
                } else {
                    self.slots.set(next.index(), Slot::spare(next.generation()));
                    self.spare.insert(next.index());
                }
            }
        }
    }

    /// Frees the rows in `dead` of a block, like a refresh.
    #[cfg(test)]
    pub(crate) fn reclaim(&mut self, block: usize, dead: u64) {
        let dead = self.alive.clear(block, dead);
        let mut retired = Vec::new();
        // SAFETY: one thread, and nothing else has the tables.
        unsafe { self.tables().free_rows(block, dead, |row| retired.push(row)) };
        if dead != 0 {
            self.freed(block / BLOCKS_PER_PAGE * BLOCKS_PER_PAGE, dead.count_ones() as usize);
        }
        for row in retired {
            self.replace_retired(row);
        }
    }

    /// Frees one row, like a refresh.
    #[cfg(test)]
    pub(super) fn reclaim_row(&mut self, row: usize) {
        let block = row / crate::rows::BLOCK_ROWS;
        self.reclaim(block, 1 << (row % crate::rows::BLOCK_ROWS));
    }

    /// The tables, to be changed in parallel.
    pub(crate) fn tables(&mut self) -> Tables {
        let (indices, len) = (self.slots.len(), self.rows.len());
        let (slots, packed) = self.slots.parts();
        Tables { slots, indices, packed, rows: self.rows.as_mut_ptr(), len }
    }

    /// Gives the row a spare entity, as the index of its entity is used up. The old index is
    /// retired, so no old handle to it becomes valid again.
    pub(crate) fn replace_retired(&mut self, row: usize) {
        self.rows[row] = self.spare_entity();
    }
}

/// Pointers to the tables of [`Entities`] for several threads, each of which changes the entries of
/// other rows.
///
/// An index belongs to one row at a time: the row of the entity that has it, or will have it. So
/// the entries of different rows are different memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tables {
    slots: *mut Slot,
    /// The number of slots.
    indices: usize,
    /// The pages of slots that are packed.
    packed: *const [Option<Packed>],
    rows: *mut Entity,
    len: usize,
}

// SAFETY: the pointers are to plain data, and to words of packed pages, each of which is the slot of one index. By the
// contracts of the methods, no two threads use the entries of one row.
unsafe impl Send for Tables {}
// SAFETY: as above.
unsafe impl Sync for Tables {}

impl Tables {
    /// The number of rows in the table.
    #[inline]
    pub(crate) fn len(self) -> usize {
        self.len
    }

    /// Enters the entity of an allocated row into the table of handles.
    ///
    /// # Panics
    /// If the row has no index, as it was not allocated.
    ///
    /// # Safety
    /// Since `self` was made, the tables must not have been resized, and no page of slots packed or unpacked. No other thread
    /// may use the entries of the row.
    #[inline]
    pub(crate) unsafe fn occupy(self, row: usize) {
        debug_assert!(row < self.len);
        // SAFETY: the row is in the table, and no other thread writes it.
        let entity = unsafe { *self.rows.wrapping_add(row) };
        let slot = Slot::living(row, entity);
        // SAFETY: by the contract no other thread uses the entries of the row.
        let place = unsafe { self.place(entity) };
        // Memory that was never written stays so where it stands for this slot.
        if *place == Slot::UNWRITTEN && slot == Slot::first(entity.index() as usize) {
            // SAFETY: as in `set_slot`.
            if unsafe { &*self.packed }.is_empty() {
                return;
            }
        }
        // SAFETY: as above.
        unsafe { self.set_slot(place, entity, slot) };
    }

    /// The place of the slot of the entity in a row.
    ///
    /// # Panics
    /// If the row has no index.
    ///
    /// # Safety
    /// As for [`occupy`](Self::occupy), for the row of the entity. The reference must not be used longer than these tables, or beside
    /// another one to the same place.
    #[inline(always)]
    unsafe fn place<'a>(self, entity: Entity) -> &'a mut Slot {
        let index = entity.index() as usize;
        assert!(index < self.indices, "the row has no index");
        // SAFETY: there is such a slot. It belongs to the row, so no other thread uses it.
        unsafe { &mut *self.slots.wrapping_add(index) }
    }

    /// Changes the slot of the entity in a row, at its [place](Self::place).
    ///
    /// # Safety
    /// As for [`occupy`](Self::occupy), for the row of the entity.
    #[inline(always)]
    unsafe fn set_slot(self, place: &mut Slot, entity: Entity, slot: Slot) {
        // SAFETY: by the contract the list of packed pages is that of the tables, and while threads have these it is only read.
        let packed = unsafe { &*self.packed };
        // SAFETY: the slot belongs to the row, so by the contract no other thread uses it, nor its word in a packed page.
        unsafe { set(place, packed, entity.index() as usize, slot) };
    }

    /// Enters the entities of allocated rows of a block into the table of handles.
    ///
    /// # Panics
    /// As [`occupy`](Self::occupy).
    ///
    /// # Safety
    /// As for [`occupy`](Self::occupy), for each of the rows.
    #[inline]
    pub(crate) unsafe fn occupy_rows(self, block: usize, rows: u64) {
        if rows == u64::MAX {
            // SAFETY: by the contract.
            if let Some((first, slots, entities)) = unsafe { self.sequence(block) } {
                let row = block * BLOCK_ROWS;
                // As in `occupy`, by sums, which the compiler turns into vectors.
                let generations = entities.iter().map(|entity| entity.generation().get());
                let are_first =
                    || generations.fold(0, |all, n| all | (n ^ NonZeroU32::MIN.get())) == 0;
                let are_unwritten = || slots.iter().fold(0, |all, slot| all | slot.bits()) == 0;
                // In a block of the heap, no slot is unwritten.
                let may_stay = first == row && slots[0] == Slot::UNWRITTEN;
                if !may_stay || !are_first() || !are_unwritten() {
                    for (row, (slot, &entity)) in (row..).zip(slots.iter_mut().zip(&*entities)) {
                        *slot = Slot::living(row, entity);
                    }
                }
                return;
            }
        }
        for row in rows_of(block, rows) {
            // SAFETY: by the contract.
            unsafe { self.occupy(row) };
        }
    }

    /// The first index, the slots and the entities of all rows of a block, if their indices are a sequence. `None` also where the first or
    /// the last slot is unwritten and some page is packed, as theirs may be.
    ///
    /// # Safety
    /// As for [`occupy`](Self::occupy), for all rows of the block. What it returns must not be used longer than these tables, or
    /// beside others of the same rows.
    #[inline(always)]
    unsafe fn sequence<'a>(
        self,
        block: usize,
    ) -> Option<(usize, &'a mut [Slot; BLOCK_ROWS], &'a mut [Entity; BLOCK_ROWS])> {
        let row = block * BLOCK_ROWS;
        // SAFETY: the rows are in the table, and no other thread uses them.
        let entities = unsafe { &mut *self.rows.wrapping_add(row).cast::<[Entity; BLOCK_ROWS]>() };
        let first = entities[0].index();
        // A sum, which the compiler turns into vectors; a search that ends early it does not.
        let different = |(entity, at): (&Entity, u32)| entity.index() ^ first.wrapping_add(at);
        if entities.iter().zip(0..).map(different).fold(0, |all, one| all | one) != 0 {
            return None;
        }
        let first = first as usize;
        if self.indices.checked_sub(BLOCK_ROWS).is_none_or(|last| first > last) {
            return None;
        }
        // SAFETY: there are these slots, which belong to the rows, so that no other thread uses them.
        let slots = unsafe { &mut *self.slots.wrapping_add(first).cast::<[Slot; BLOCK_ROWS]>() };
        // SAFETY: as in `set_slot`.
        let are_packed = !unsafe { &*self.packed }.is_empty();
        // Slots of a packed page are unwritten here. These lie in at most two pages, of which the first and the last show both.
        let [start, last] = [slots[0], slots[BLOCK_ROWS - 1]];
        if are_packed && (start == Slot::UNWRITTEN || last == Slot::UNWRITTEN) {
            return None;
        }
        Some((first, slots, entities))
    }

    /// Prefetches the entities of the first and the last of these rows of a block, for [`free_rows`](Self::free_rows). Most blocks lose one
    /// or two rows at a time.
    #[inline(always)]
    pub(crate) fn prefetch_entities(self, block: usize, rows: u64) {
        let first = self.rows.wrapping_add(block * BLOCK_ROWS);
        prefetch(first.wrapping_add(rows.trailing_zeros() as usize % BLOCK_ROWS));
        prefetch(first.wrapping_add(rows.leading_zeros() as usize ^ (BLOCK_ROWS - 1)));
    }

    /// The entity of the row.
    ///
    /// # Safety
    /// As for [`occupy`](Self::occupy).
    #[inline]
    pub(crate) unsafe fn entity(self, row: usize) -> Entity {
        debug_assert!(row < self.len);
        // SAFETY: the row is in the table, and no other thread writes it.
        unsafe { *self.rows.wrapping_add(row) }
    }

    /// Frees rows of a block: replaces the entity of each by its successor. Calls `retired` with rows whose entity has none, as its
    /// index is used up: they need another entity.
    ///
    /// # Panics
    /// If a row has no index.
    ///
    /// # Safety
    /// As for [`occupy`](Self::occupy), for each of the rows.
    #[inline(always)]
    pub(crate) unsafe fn free_rows(self, block: usize, rows: u64, mut retired: impl FnMut(usize)) {
        // SAFETY: by the contract.
        if rows == u64::MAX && unsafe { self.free_sequence(block) } {
            return;
        }
        for row in rows_of(block, rows) {
            debug_assert!(row < self.len);
            // SAFETY: the row is in the table, and no other thread uses it.
            let entity = unsafe { &mut *self.rows.wrapping_add(row) };
            // SAFETY: as in `occupy`.
            let place = unsafe { self.place(*entity) };
            // SAFETY: as in `occupy`.
            unsafe { self.set_slot(place, *entity, Slot::FREE) };
            match successor(*entity) {
                Some(next) => *entity = next,
                None => retired(row),
            }
        }
    }

    /// Frees all rows of a block, if they are a [sequence](Self::sequence) of entities that have successors. Returns whether they
    /// are.
    ///
    /// # Safety
    /// As for [`free_rows`](Self::free_rows).
    #[inline(never)]
    unsafe fn free_sequence(self, block: usize) -> bool {
        // SAFETY: by the contract.
        let Some((_, slots, entities)) = (unsafe { self.sequence(block) }) else {
            return false;
        };
        let last =
            entities.iter().map(|entity| entity.generation()).fold(NonZeroU32::MIN, Ord::max);
        if last >= LAST_GENERATION {
            return false;
        }
        slots.fill(Slot::FREE);
        for entity in entities {
            *entity = next(*entity);
        }
        true
    }
}

/// The next entity with the same index, if its generations are not used up.
#[inline(always)]
fn next(entity: Entity) -> Entity {
    Entity::new(entity.index(), entity.generation().saturating_add(1))
}

/// The same. `None` if its generations are used up.
#[inline(always)]
fn successor(entity: Entity) -> Option<Entity> {
    (entity.generation() < LAST_GENERATION).then(|| next(entity))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::entity::row_ranges::all_rows;
    use crate::parallel::Threads;

    #[test]
    fn new_rows_get_spare_indices_first_on_any_number_of_threads() {
        let (spawned, despawned) = (3 * CHUNK, CHUNK + CHUNK / 2);
        let made = |workers: &Workers| {
            let mut entities = Entities::dynamic(0);
            let mut blocks = Vec::new();
            entities.allocate(0, spawned, 0, &mut blocks, workers);
            for row in spawned - despawned..spawned {
                entities.alive_mut().remove(row);
                // SAFETY: nothing else has the tables.
                unsafe {
                    let (block, rows) = (row / BLOCK_ROWS, 1 << (row % BLOCK_ROWS));
                    entities
                        .tables()
                        .free_rows(block, rows, |_| unreachable!("it has a successor"));
                }
            }
            for page in (spawned - despawned) / PAGE_ROWS..spawned / PAGE_ROWS {
                entities.freed(page * BLOCKS_PER_PAGE, PAGE_ROWS);
            }
            entities.begin_step();
            entities.refill(|_, _| ());
            assert_eq!(entities.rows().len(), spawned - despawned);
            blocks.clear();
            entities.allocate(0, spawned, 0, &mut blocks, workers);
            entities.rows().to_vec()
        };
        let rows = made(&Workers::inline());
        assert_eq!(rows.len(), 2 * spawned - despawned);
        for (row, entity) in rows.iter().enumerate() {
            let again = (spawned - despawned..spawned).contains(&row);
            let generation = NonZeroU32::new(1 + u32::from(again)).unwrap();
            assert_eq!(*entity, Entity::new(row as u32, generation));
        }
        assert_eq!(Threads::Global.run(made), rows);
    }

    #[test]
    fn whole_blocks_are_freed_like_their_rows() {
        for is_plain in [false, true] {
            let mut worlds = [Entities::dynamic(0), Entities::dynamic(0)];
            let mut blocks = Vec::new();
            for entities in &mut worlds {
                if is_plain {
                    entities.slots.extend_to(1024);
                    (0..1024).for_each(|index| {
                        entities.slots.set(index, Slot::spare(NonZeroU32::MIN));
                        entities.spare.insert(index);
                    });
                    entities.slots.pack(&entities.spare);
                    assert!(entities.slots.packed_pages() > 0);
                }
                blocks.clear();
                entities.allocate(0, 5 * BLOCK_ROWS, 0, &mut blocks, &Workers::inline());
                entities.occupy_all(&blocks);
                // One row is another's successor, and the index of another is nearly used up.
                entities.reclaim_row(7);
                entities.create(0).unwrap();
                let last = Entity::new(entities.rows[3 * BLOCK_ROWS + 9].index(), LAST_GENERATION);
                entities.rows[3 * BLOCK_ROWS + 9] = last;
                entities.occupy(3 * BLOCK_ROWS + 9);
            }
            let [at_once, one_by_one] = &mut worlds;
            for block in [0, 1, 3] {
                let handles = at_once.rows[block * BLOCK_ROWS..][..BLOCK_ROWS].to_vec();
                at_once.reclaim(block, u64::MAX);
                (0..BLOCK_ROWS).for_each(|row| one_by_one.reclaim_row(block * BLOCK_ROWS + row));
                assert!(handles.iter().all(|&handle| at_once.row(handle).is_none()));
            }
            assert_eq!(at_once.rows, one_by_one.rows);
            for index in 0..at_once.slots.len() as u32 {
                assert_eq!(at_once.slots.get(index), one_by_one.slots.get(index));
            }
        }
    }

    proptest! {
        #[test]
        fn many_at_once_are_as_many_one_by_one(
            steps in proptest::collection::vec((0..200_usize, 0..90_usize, any::<u64>()), 1..20),
            // Under the largest of these limits, slots lie in memory of the system, and first ones are not written.
            limit in prop_oneof![Just(None), (1..400_usize).prop_map(Some), Just(Some(1 << 18))],
        ) {
            let mut one = limit.map_or_else(|| Entities::dynamic(0), Entities::fixed);
            let mut many = limit.map_or_else(|| Entities::dynamic(0), Entities::fixed);
            let mut blocks = Vec::new();
            for (a, b, deaths) in steps {
                blocks.clear();
                let allocated = many.allocate(0, a, 0, &mut blocks, &Workers::inline())
                    + many.allocate(0, b, 0, &mut blocks, &Workers::inline());
                let created: Vec<usize> =
                    (0..a + b).map_while(|_| one.create(0).ok()).map(|(_, row)| row).collect();
                prop_assert_eq!(allocated, created.len());
                prop_assert_eq!(all_rows(&blocks), created);
                let mut first = 0;
                for block in &blocks {
                    prop_assert_eq!(block.first, first);
                    first += block.rows.count_ones();
                }
                many.occupy_all(&blocks);
                prop_assert_eq!(one.rows(), many.rows());
                let dead: Vec<usize> = (0..one.rows().len())
                    .filter(|row| one.alive().contains(*row) && deaths >> (row % 61) & 1 == 1)
                    .collect();
                for row in dead {
                    one.reclaim_row(row);
                    many.reclaim_row(row);
                }
                for (row, entity) in one.rows().iter().enumerate() {
                    let found = one.alive().contains(row).then_some(row);
                    prop_assert_eq!((one.row(*entity), many.row(*entity)), (found, found));
                }
                let mut moves = (Vec::new(), Vec::new());
                one.refill(|from, to| moves.0.push((from, to)));
                many.count_spawns(0, allocated);
                many.refill(|from, to| moves.1.push((from, to)));
                one.begin_step();
                many.begin_step();
                prop_assert_eq!(moves.0, moves.1);
                prop_assert_eq!((one.count(), one.rows()), (many.count(), many.rows()));
                // Slots are packed in one of the two.
                let packs = if a % 2 == 0 { &mut one } else { &mut many };
                packs.slots.pack(&packs.spare);
            }
        }
    }
}
