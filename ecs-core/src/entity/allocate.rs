//! Rows for many entities at once, and their freeing, side by side.

use core::mem::MaybeUninit;
use core::num::NonZeroU32;

use super::metadata::Entities;
use super::slots::{LAST_GENERATION, Slot};
use super::{AllocatedRows, Entity};
use crate::scheduler::{Workers, fork_chunks};
use crate::storage::{BLOCK_ROWS, BLOCKS_PER_PAGE, PAGE_ROWS, end_of};

/// Rows that are added by one thread at a time.
const CHUNK: usize = 4 * PAGE_ROWS;

/// How long the tables of [`Entities`] were at some time, and how far the rows of an archetype reached.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lengths {
    archetype: usize,
    pages: usize,
    end: usize,
    rows: usize,
    slots: usize,
}

impl Entities {
    /// Allocates rows to entities of an archetype to be born, its lowest free ones, and counts them as living from here on;
    /// how many there was room for. `blocks` gets them in ascending order; [`occupy`](Self::occupy) has yet to enter
    /// each into the table of handles. As far as the limit goes, so many `dead` count still.
    ///
    /// The `k`-th gets what the `k`-th call of [`create`](Self::create) would. O(blocks looked at + new rows).
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
        let before = blocks.last().map_or(0, |last| last.end() as u32);
        self.archetypes.get_mut(archetype).forget_found();
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
            let this = self.archetypes.get_mut(archetype);
            // All of the page has been searched, or there may be more free rows in the last block.
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
        self.add_rows(end, workers);
        self.archetypes.get_mut(archetype).count += done;
        self.count += done;
        done
    }

    /// Has the table of rows end at `end` at least: further rows get spare indices, and then new ones, as
    /// from [`spare_entity`](Self::spare_entity).
    fn add_rows(&mut self, end: usize, workers: &Workers) {
        let Some(count) = end.checked_sub(self.rows.len()).filter(|&count| count > 0) else {
            return;
        };
        self.rows.reserve(count);
        let again = self.spare.len().min(count);
        if again > 0 {
            self.spare.number();
        }
        let first_new = self.slots.len();
        self.slots.resize(first_new + count - again, Slot::FREE);
        let (slots, spare) = (&self.slots[..], &self.spare);
        let rows = &mut self.rows.spare_capacity_mut()[..count];
        fork_chunks(workers, rows, CHUNK, &|first, rows: &mut [MaybeUninit<Entity>]| {
            let (old, new) = rows.split_at_mut(again.saturating_sub(first).min(rows.len()));
            let mut indices = spare.from(first.min(again));
            for row in &mut *old {
                let index = indices.next().expect("as many as there are");
                row.write(Entity::new(index, slots[index as usize].next_generation()));
            }
            let first_new = first_new + (first + old.len()).saturating_sub(again);
            for (row, index) in new.iter_mut().zip(first_new as u32..) {
                row.write(Entity::new(index, NonZeroU32::MIN));
            }
        });
        self.spare.remove_lowest(again);
        let len = self.rows.len() + count;
        // SAFETY: memory for `count` more was reserved, and each of them was just written: the pieces cover
        // them, and in each piece the one loop writes the first ones, and the other one the rest.
        unsafe { self.rows.set_len(len) };
    }

    /// How many entities there is room for, if the world grows as far as it may.
    pub(crate) fn room(&self) -> usize {
        self.most - self.count
    }

    /// Enters the entity of a row, which was allocated, into the table of handles.
    pub(crate) fn occupy(&mut self, row: usize) {
        self.slots[self.rows[row].index() as usize] = Slot::living(row);
    }

    /// How long the tables are, and how far the rows of an archetype reach; see [`withdraw`](Self::withdraw).
    pub(crate) fn lengths(&self, archetype: usize) -> Lengths {
        let this = self.archetypes.get(archetype);
        let (pages, end) = (this.page_count(), this.end);
        Lengths { archetype, pages, end, rows: self.rows.len(), slots: self.slots.len() }
    }

    /// Has rows of a block, which were allocated since the tables had these lengths and have no components,
    /// be free again. Nobody may have seen their entities. Once all that were allocated since then, or all
    /// from some row on, are free again, [`shorten`](Self::shorten) makes everything as it was.
    pub(crate) fn withdraw(&mut self, block: usize, rows: u64) {
        let gone = self.alive.clear(block, rows);
        for bit in (0..BLOCK_ROWS).filter(|bit| gone >> bit & 1 == 1) {
            let entity = self.rows[block * BLOCK_ROWS + bit];
            self.slots[entity.index() as usize] = Slot::FREE;
        }
        self.leave(block, gone.count_ones() as usize);
    }

    /// So many rows of a page, none of them before the block, are free from here on.
    fn leave(&mut self, block: usize, count: usize) {
        let (archetype, first) = self.archetypes.with_gap_in(block / BLOCKS_PER_PAGE);
        archetype.count -= count;
        archetype.search_from(first + block % BLOCKS_PER_PAGE);
        self.count -= count;
    }

    /// Takes free rows at the end out of the tables, with their indices, as far as both are newer than these
    /// lengths; indices that were spare are so again.
    pub(crate) fn shorten(&mut self, before: Lengths) {
        let end = self.find_end(before.archetype, before.end);
        let needed = end.div_ceil(PAGE_ROWS).max(before.pages);
        self.archetypes.release(before.archetype, needed, |_| ());
        while self.rows.len() > before.rows && !self.alive.contains(self.rows.len() - 1) {
            // New indices were given to rows in ascending order.
            if self.rows.last().is_some_and(|entity| entity.index() as usize >= before.slots) {
                self.rows.pop();
                self.slots.pop();
            } else {
                self.end_rows(self.rows.len() - 1);
            }
        }
    }

    /// How many entities there can be, as long as the world does not grow.
    pub(crate) fn limit(&self) -> usize {
        self.capacity
    }

    /// Frees the rows in `dead` of a block, as a refresh does.
    #[cfg(test)]
    pub(crate) fn reclaim(&mut self, block: usize, dead: u64) {
        let dead = self.alive.clear(block, dead);
        for row in (0..BLOCK_ROWS).filter(|bit| dead >> bit & 1 == 1) {
            let row = block * BLOCK_ROWS + row;
            // SAFETY: one thread, and nothing else has the tables.
            let has_successor = unsafe { self.tables().free(row) };
            self.freed(block / BLOCKS_PER_PAGE, 1);
            if !has_successor {
                self.replace_retired(row);
            }
        }
    }

    /// The tables, to be changed side by side.
    pub(crate) fn tables(&mut self) -> Tables {
        let (slots, rows) = (&mut self.slots, &mut self.rows);
        Tables { slots: slots.as_mut_ptr(), rows: rows.as_mut_ptr(), len: rows.len() }
    }

    /// The entity of the row has used up its index, which is retired, so that no old handle to it can ever
    /// look alive.
    pub(crate) fn replace_retired(&mut self, row: usize) {
        self.rows[row] = self.spare_entity();
    }

    /// After the freeing of `count` entities of a page.
    pub(crate) fn freed(&mut self, page: usize, count: usize) {
        self.leave(page * BLOCKS_PER_PAGE, count);
    }
}

/// The tables of [`Entities`], for several threads, each of which changes what belongs to other rows.
///
/// An index belongs to one row at a time: that of the entity that has it, or will have it. So what
/// belongs to different rows is different memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tables {
    slots: *mut Slot,
    rows: *mut Entity,
    len: usize,
}

// SAFETY: pointers to plain data, which is `Send` and `Sync`; their users prove that nobody else uses
// what they use.
unsafe impl Send for Tables {}
// SAFETY: as above.
unsafe impl Sync for Tables {}

impl Tables {
    /// Enters the entity of the row, which has been allocated, into the table of handles.
    ///
    /// # Safety
    /// The tables are as they were when this was made, and no other thread uses what belongs to the row.
    #[inline]
    pub(crate) unsafe fn occupy(self, row: usize) {
        debug_assert!(row < self.len);
        // SAFETY: the row is in the table, and nobody writes it.
        let entity = unsafe { *self.rows.wrapping_add(row) };
        // SAFETY: an entity in the table has a slot; nobody else uses it, as it belongs to the row.
        let slot = unsafe { &mut *self.slots.wrapping_add(entity.index() as usize) };
        *slot = Slot::living(row);
    }

    /// Puts its successor in the place of the entity of the row; whether there is one: if not, the index is
    /// used up, and the row needs another entity.
    ///
    /// # Safety
    /// As for [`occupy`](Self::occupy).
    #[inline]
    pub(crate) unsafe fn free(self, row: usize) -> bool {
        debug_assert!(row < self.len);
        // SAFETY: the row is in the table, and nobody else uses it.
        let place = unsafe { &mut *self.rows.wrapping_add(row) };
        // SAFETY: as in `occupy`.
        let slot = unsafe { &mut *self.slots.wrapping_add(place.index() as usize) };
        *slot = Slot::FREE;
        if place.generation() >= LAST_GENERATION {
            return false;
        }
        *place = Entity::new(place.index(), place.generation().saturating_add(1));
        true
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::scheduler::Threads;

    /// The rows that were allocated, in order.
    fn rows(blocks: &[AllocatedRows]) -> Vec<usize> {
        let each = blocks.iter().flat_map(|a| {
            (0..64).filter(move |bit| a.rows >> bit & 1 == 1).map(|bit| a.block as usize * 64 + bit)
        });
        each.collect()
    }

    #[test]
    fn new_rows_get_spare_indices_first_on_any_number_of_threads() {
        let (born, despawned) = (3 * CHUNK, CHUNK + CHUNK / 2);
        let made = |workers: &Workers| {
            let mut entities = Entities::dynamic(0);
            let mut blocks = Vec::new();
            entities.allocate(0, born, 0, &mut blocks, workers);
            for row in born - despawned..born {
                entities.alive_mut().remove(row);
                // SAFETY: nothing else has the tables.
                assert!(unsafe { entities.tables().free(row) });
            }
            for page in (born - despawned) / PAGE_ROWS..born / PAGE_ROWS {
                entities.freed(page, PAGE_ROWS);
            }
            entities.begin_step();
            entities.refill(|_, _| ());
            assert_eq!(entities.rows().len(), born - despawned);
            blocks.clear();
            entities.allocate(0, born, 0, &mut blocks, workers);
            entities.rows().to_vec()
        };
        let rows = made(&Workers::inline());
        assert_eq!(rows.len(), 2 * born - despawned);
        for (row, entity) in rows.iter().enumerate() {
            let again = (born - despawned..born).contains(&row);
            let generation = NonZeroU32::new(1 + u32::from(again)).unwrap();
            assert_eq!(*entity, Entity::new(row as u32, generation));
        }
        assert_eq!(Threads::Global.run(made), rows);
    }

    proptest! {
        #[test]
        fn many_at_once_are_as_many_one_by_one(
            steps in proptest::collection::vec((0..200_usize, 0..90_usize, any::<u64>()), 1..20),
            limit in proptest::option::of(1..400_usize),
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
                prop_assert_eq!(rows(&blocks), created);
                let mut first = 0;
                for block in &blocks {
                    prop_assert_eq!(block.first, first);
                    first += block.rows.count_ones();
                }
                let tables = many.tables();
                for row in rows(&blocks) {
                    // SAFETY: one thread, and nothing else has the tables.
                    unsafe { tables.occupy(row) };
                }
                prop_assert_eq!(one.rows(), many.rows());
                let dead: Vec<usize> = (0..one.rows().len())
                    .filter(|row| one.alive().contains(*row) && deaths >> (row % 61) & 1 == 1)
                    .collect();
                for row in dead {
                    one.reclaim(row / BLOCK_ROWS, 1 << (row % BLOCK_ROWS));
                    many.reclaim(row / BLOCK_ROWS, 1 << (row % BLOCK_ROWS));
                }
                for entity in one.rows() {
                    prop_assert_eq!(one.row(*entity), many.row(*entity));
                }
                let mut moves = (Vec::new(), Vec::new());
                one.refill(|from, to| moves.0.push((from, to)));
                many.count_spawns(0, allocated);
                many.refill(|from, to| moves.1.push((from, to)));
                one.begin_step();
                many.begin_step();
                prop_assert_eq!(moves.0, moves.1);
                prop_assert_eq!((one.count(), one.rows()), (many.count(), many.rows()));
            }
        }
    }
}
