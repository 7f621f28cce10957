//! Entity metadata: the row of each entity, and whether a handle is still valid.

#[cfg(feature = "serde")]
pub(super) mod bytes;
mod copy;

use core::fmt;
use core::num::NonZeroU32;
use core::ops::Range;

use super::archetypes::Archetypes;
use super::slots::{Handles, MAX_ENTITIES, Slot, SlotTable};
use super::spare::Spare;
use super::{AllocatedRows, Entity, EntityLimit, on_limit, refused, refused_growth, try_reserve};
use crate::rows::{BLOCK_ROWS, Masks, PAGE_ROWS, Presence};

/// No further entity fits: the world has reached its fixed limit, or 2³¹ − 1 entities, the most
/// that any world can hold.
///
/// Raise the limit (`entity_limit: fixed(n)`) or use a dynamic one. Despawned entities count
/// towards the limit until the refresh at the end of the step.
///
/// ```
/// # use ecs_core::{World, world};
/// # struct Position(f32);
/// world! {
///     world Line { entity_limit: fixed(1) }
///     component Position;
/// }
/// let mut world = World::<Line>::new();
/// world.spawn((Position(0.0),))?;
/// let error = world.spawn((Position(1.0),)).unwrap_err();
/// println!("{error}");
/// # Ok::<_, ecs_core::LimitReached>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LimitReached {
    /// The most entities that the world can hold.
    pub limit: usize,
    /// The number of entities that found no room: as far as an iterator of bundles announced them, and for a snapshot
    /// the number of rows.
    pub lost: usize,
}

impl fmt::Display for LimitReached {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { limit, .. } = *self;
        write!(f, "the world's limit of {limit} entities is reached; {}", advice(limit))
    }
}

impl core::error::Error for LimitReached {}

/// The advice for a world that has reached this limit.
pub(crate) fn advice(limit: usize) -> &'static str {
    if limit < MAX_ENTITIES {
        "raise `entity_limit`, or make it dynamic"
    } else {
        "no world can hold more"
    }
}

/// All entities: *index → row* and *row → entity*, the rows in use, and the free ones.
///
/// A new entity gets the lowest free row of its archetype, so that gaps fill up first and runs stay
/// long. A row or an index is free only after a refresh has reclaimed its entity. Gaps that spawns
/// do not fill are closed by [`refill`](Self::refill).
#[derive(Debug)]
pub(crate) struct Entities {
    pub(super) slots: SlotTable,
    /// The entity in each row. A free row holds the next entity that it will get: the index stays
    /// with the row, so that tables by row and tables by index are walked in the same order. A row has
    /// no index, but [`Entity::NEVER`], until an entity comes into it. It loses its index, too, where
    /// an entity moves from it to a row without one, or where its spawn is withdrawn.
    pub(super) rows: Vec<Entity>,
    /// The number of rows that have no index.
    pub(super) without_index: usize,
    /// Rows to which [`allocate`](Self::allocate) gave an index since the last
    /// [checkpoint](Self::checkpoint) or the beginning of the step, as numbers and masks of blocks.
    pub(super) newly_indexed: Vec<(u32, u64)>,
    /// Free indices that belong to no row.
    pub(super) spare: Spare,
    /// The rows in use.
    pub(super) alive: Presence,
    /// Rows of despawned entities, withheld until the refresh.
    pub(super) withheld: Masks,
    pub(super) withheld_count: usize,
    /// The rows that each archetype owns.
    pub(super) archetypes: Archetypes,
    /// Rows of entities spawned since the last refresh, recorded if there may be several
    /// archetypes.
    pub(crate) spawned: Masks,
    /// How many rows are in use or withheld.
    pub(super) count: usize,
    /// Spawns of sequential systems that found no room since the last refresh.
    pub(crate) lost: usize,
    /// The number of entities up to which no memory needs to be reserved.
    pub(super) capacity: usize,
    /// The most entities that the world can ever hold.
    pub(super) most: usize,
}

/// What a row takes in both tables, in bytes.
pub(super) const ROW_BYTES: usize = size_of::<Slot>() + size_of::<Entity>();

impl Entities {
    /// Creates no entities. The limit `L` is used here only; nothing afterwards asks for it.
    pub(crate) fn new<L: EntityLimit>() -> Self {
        let mut this = on_limit::<L, _>(Self::fixed, Self::dynamic);
        if L::BY_ARCHETYPE {
            this.archetypes = Archetypes::new(true, 0);
        }
        this
    }

    /// No entities, for ever.
    pub(crate) fn without_any() -> Self {
        Self::with(Presence::dynamic(0), 0, 0)
    }

    pub(super) fn fixed(limit: usize) -> Self {
        let most = limit.min(MAX_ENTITIES);
        Self::with(Presence::fixed(most), most, most)
    }

    /// Up to [`MAX_ENTITIES`] entities, with room for `initial` of them.
    pub(super) fn dynamic(initial: usize) -> Self {
        let capacity = initial.min(MAX_ENTITIES);
        Self::with(Presence::dynamic(capacity), capacity, MAX_ENTITIES)
    }

    /// # Panics
    /// If the system refuses the memory.
    fn with(alive: Presence, capacity: usize, most: usize) -> Self {
        let (mut slots, mut rows) = (SlotTable::new(), Vec::<Entity>::new());
        if !slots.try_reserve(capacity) || rows.try_reserve_exact(capacity).is_err() {
            refused(capacity, ROW_BYTES);
        }
        Self {
            slots,
            rows,
            without_index: 0,
            newly_indexed: Vec::new(),
            spare: Spare::default(),
            alive,
            withheld: Masks::default(),
            withheld_count: 0,
            archetypes: Archetypes::new(false, capacity),
            spawned: Masks::default(),
            count: 0,
            lost: 0,
            capacity,
            most,
        }
    }

    /// The archetype of entities whose components have this [key](crate::types::IndexSet::key).
    /// O(log archetypes), amortized.
    #[inline]
    pub(crate) fn archetype_of(&mut self, key: u64) -> usize {
        self.archetypes.of(key)
    }

    /// Creates an entity in the lowest free row of an archetype. O(1), amortized over the rows looked at.
    #[inline(always)]
    pub(crate) fn create(&mut self, archetype: usize) -> Result<(Entity, usize), LimitReached> {
        if self.count == self.capacity {
            self.grow()?;
        }
        let mut this = self.archetypes.for_spawns(archetype);
        if this.free_rows == 0 {
            if !self.search(archetype) {
                return Err(self.limit_reached(1));
            }
            this = &mut self.archetypes.list[archetype];
        }
        this.spawned += 1;
        let row = this.occupy_free_row();
        self.count += 1;
        let entity = match self.rows.get(row) {
            Some(&entity) if self.slots.try_set(entity.index(), Slot::living(row, entity)) => {
                entity
            }
            // The row has no index: that of `Entity::NEVER` has no slot.
            Some(_) => self.entity_in_row_without_index(row),
            None => self.entity_in_new_row(row),
        };
        self.alive.insert(row);
        if self.archetypes.several {
            self.spawned.add(row);
        }
        Ok((entity, row))
    }

    /// Extends the table of rows so that it contains `row`, and enters the entity there into the table of handles.
    #[inline(always)]
    fn entity_in_new_row(&mut self, row: usize) -> Entity {
        if row > self.rows.len() {
            self.extend_rows(row);
        }
        if self.spare.len() == 0 {
            let entity = Entity::new(self.slots.len() as u32, NonZeroU32::MIN);
            self.slots.push(Slot::living(row, entity));
            self.rows.push(entity);
            return entity;
        }
        let entity = self.spare_entity();
        self.rows.push(entity);
        self.slots.set(entity.index(), Slot::living(row, entity));
        entity
    }

    /// Gives a row that has no index one, and enters its entity into the table of handles.
    #[cold]
    fn entity_in_row_without_index(&mut self, row: usize) -> Entity {
        let entity = self.spare_entity();
        self.rows[row] = entity;
        self.without_index -= 1;
        self.slots.set(entity.index(), Slot::living(row, entity));
        entity
    }

    /// Extends the table of rows to at least `end` rows. They have no index.
    #[cold]
    pub(super) fn extend_rows(&mut self, end: usize) {
        if let Some(more) = end.checked_sub(self.rows.len()) {
            self.rows.resize(end, Entity::NEVER);
            self.without_index += more;
        }
    }

    #[cold]
    pub(super) fn grow(&mut self) -> Result<(), LimitReached> {
        if self.capacity == self.most {
            return Err(self.limit_reached(1));
        }
        self.capacity = (self.capacity + self.capacity / 2).max(64).min(self.most);
        Ok(())
    }

    /// The error for `lost` entities that find no room.
    pub(crate) fn limit_reached(&self, lost: usize) -> LimitReached {
        LimitReached { limit: self.most, lost }
    }

    /// Searches the lowest free rows of an archetype. Returns false if it has none and can get no
    /// further page.
    ///
    /// # Panics
    /// If the system refuses the memory for a further block of rows. No row is taken.
    #[cold]
    pub(super) fn search(&mut self, archetype: usize) -> bool {
        while self.archetypes.list[archetype].free_rows == 0 {
            let Some(block) = self.archetypes.next_block(archetype) else { return false };
            let free_rows = !(self.alive.word(block) | self.withheld.word(block));
            if free_rows != 0 {
                // A single archetype has no more rows than entities.
                let most = if self.archetypes.several { usize::MAX } else { self.most };
                let rows = ((block + 1) * BLOCK_ROWS).min(most);
                if !self.try_reserve_tables(rows, 0) {
                    refused_growth(rows.saturating_mul(ROW_BYTES));
                }
            }
            let this = &mut self.archetypes.list[archetype];
            this.next_block += 1;
            (this.block, this.free_rows) = (block, free_rows);
        }
        true
    }

    /// Reserves memory for `rows` rows in the table of rows, and for the slots of the indices that
    /// they, or with several archetypes `spawns` more entities, may need. Returns whether the system
    /// gives it; if not, the tables are unchanged.
    pub(super) fn try_reserve_tables(&mut self, rows: usize, spawns: usize) -> bool {
        let more = rows.saturating_sub(self.rows.len());
        let Archetypes { several, list, .. } = &self.archetypes;
        // `create` takes rows that `search` has found without asking for memory: up to a block for
        // each archetype, each of which may need an index.
        let found = BLOCK_ROWS * list.len();
        let indices = if *several { spawns + found } else { more + self.without_index };
        try_enlarge(&mut self.rows, more) && self.slots.try_reserve(indices)
    }

    /// A new entity with an index that belongs to no row.
    #[cold]
    pub(super) fn spare_entity(&mut self) -> Entity {
        if let Some(index) = self.spare.pop() {
            return Entity::new(index, self.slots.use_again(index));
        }
        let entity = Entity::new(self.slots.len() as u32, NonZeroU32::MIN);
        self.slots.push(Slot::FREE);
        entity
    }

    /// The row of an entity that is alive.
    #[inline(always)]
    pub(crate) fn row(&self, entity: Entity) -> Option<usize> {
        self.handles().row(entity)
    }

    /// The table of handles.
    #[inline(always)]
    pub(crate) fn handles(&self) -> Handles<'_> {
        self.slots.handles()
    }

    /// The entities by row. A free row has the next entity that it will get, or [`Entity::NEVER`] if
    /// it has no index.
    #[inline]
    pub(crate) fn rows(&self) -> &[Entity] {
        &self.rows
    }

    /// The number of entities that are alive.
    #[inline]
    pub(crate) fn count(&self) -> usize {
        self.count - self.withheld_count
    }

    #[inline]
    pub(crate) fn alive(&self) -> &Presence {
        &self.alive
    }

    pub(crate) fn alive_mut(&mut self) -> &mut Presence {
        &mut self.alive
    }

    /// Whether no further growth is possible, so that all memory is reserved.
    pub(crate) fn is_fixed(&self) -> bool {
        self.capacity == self.most
    }

    pub(crate) fn page_count(&self) -> usize {
        self.rows.len().div_ceil(PAGE_ROWS)
    }

    /// The pages that archetypes have lost in this refresh; see [`Archetypes::take_released`].
    pub(crate) fn take_released_pages(&mut self) -> Vec<usize> {
        self.archetypes.take_released()
    }

    /// The rows behind the last one in use of each archetype, up to the end of its page.
    pub(crate) fn free_ends(&self) -> impl Iterator<Item = Range<usize>> {
        self.archetypes.list.iter().filter(|archetype| archetype.end % PAGE_ROWS != 0).map(
            |archetype| {
                let first = archetype.row(archetype.end);
                first..first.next_multiple_of(PAGE_ROWS)
            },
        )
    }

    /// Frees memory for the rows from page `pages` on, none of which may be in use, and most of the memory of spare
    /// indices. Their generations are kept for ever.
    pub(crate) fn free_pages(&mut self, pages: usize) {
        self.rows.shrink_to(pages * PAGE_ROWS);
        self.slots.shrink(&self.spare);
        self.newly_indexed = Vec::new();
        self.alive.truncate(pages);
    }

    /// Called by each refresh that has something to do, after it has moved `moves` entities: updates what look-ups expect, and packs
    /// slots that the last [call](Self::free_pages) has left. Under a fixed limit nothing is packed.
    pub(crate) fn maintain_slots(&mut self, moves: usize) {
        self.slots.estimate(&self.rows, moves);
        if !self.is_fixed() {
            self.slots.pack_late(&self.spare);
        }
    }

    /// Records the rows of a spawn batch. Their entities may belong to other archetypes than the
    /// owners of the rows.
    pub(crate) fn note_spawned(&mut self, blocks: &[AllocatedRows]) {
        if self.archetypes.several {
            for new in blocks {
                self.spawned.add_block(new.block as usize, new.rows);
            }
        }
    }
}

/// Reserves memory for `more` entries. Small tables grow to four times their length, so that less is copied. Returns
/// whether the system gives the memory; if not, the table is unchanged.
fn try_enlarge<T>(table: &mut Vec<T>, more: usize) -> bool {
    if table.capacity() - table.len() >= more {
        return true;
    }
    let much = if table.len() < 4 * PAGE_ROWS { 3 * table.len() } else { 0 };
    (much > more && table.try_reserve_exact(much).is_ok()) || try_reserve(table, more)
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, HashSet};

    use proptest::prelude::*;

    use super::*;
    use crate::entity::slots::LAST_GENERATION;

    #[test]
    fn slots_are_packed_when_pages_are_freed() {
        let mut entities = Entities::dynamic(0);
        let all: Vec<_> = (0..3 * PAGE_ROWS).map(|_| entities.create(0).unwrap()).collect();
        let is_left = |row: usize| row.is_multiple_of(10);
        for (_, row) in all.iter().filter(|(_, row)| !is_left(*row)) {
            entities.reclaim_row(*row);
        }
        entities.begin_step();
        let mut last = all.len();
        entities.refill(|from, to| {
            assert!(to < from && from < last);
            last = from;
        });
        entities.alive_mut().clean();
        entities.free_pages(entities.page_count());
        assert_eq!(entities.slots.packed_pages(), all.len() / 512);
        for (entity, row) in all {
            assert_eq!(entities.row(entity).is_some(), is_left(row));
        }
    }

    #[test]
    fn look_ups_expect_the_rows_that_refreshes_have_seen() {
        let mut entities = Entities::dynamic(0);
        let all: Vec<_> = (0..1_000).map(|_| entities.create(0).unwrap()).collect();
        entities.maintain_slots(0);
        assert!(entities.slots.expects_index());
        all[..500].iter().for_each(|(_, row)| entities.reclaim_row(*row));
        entities.begin_step();
        let mut moves = 0;
        entities.refill(|_, _| moves += 1);
        entities.maintain_slots(moves);
        assert_eq!(moves, 500);
        assert!(!entities.slots.expects_index());
        let mut copy = Entities::dynamic(0);
        copy.copy(&entities);
        assert!(!copy.slots.expects_index());
        // All have died: rows and indices come together again.
        all[500..].iter().for_each(|(entity, _)| {
            let row = entities.row(*entity).unwrap();
            entities.reclaim_row(row);
        });
        entities.begin_step();
        entities.refill(|_, _| unreachable!("none is left"));
        for _ in 0..1_000 {
            entities.create(0).unwrap();
        }
        entities.maintain_slots(0);
        entities.maintain_slots(usize::MAX);
        assert!(entities.slots.expects_index());
    }

    #[test]
    fn look_ups_do_not_expect_rows_of_other_archetypes() {
        let mut entities = Entities::dynamic(0);
        entities.archetypes = Archetypes::new(true, 0);
        let archetypes = [1, 2].map(|key| entities.archetypes.of(key));
        for archetype in archetypes {
            for _ in 0..10_000 {
                entities.create(archetype).unwrap();
            }
        }
        entities.maintain_slots(0);
        assert!(!entities.slots.expects_index());
    }

    #[test]
    fn a_fixed_limit_is_an_error_and_a_death_makes_room() {
        let mut entities = Entities::fixed(2);
        let (a, row) = entities.create(0).unwrap();
        entities.create(0).unwrap();
        assert_eq!(entities.create(0), Err(LimitReached { limit: 2, lost: 1 }));
        entities.reclaim_row(row);
        let (b, again) = entities.create(0).unwrap();
        assert_eq!((again, b.index()), (row, a.index()));
        assert_eq!((entities.row(a), entities.row(b)), (None, Some(row)));
    }

    #[test]
    fn the_message_fits_the_limit() {
        let message = |limit| LimitReached { limit, lost: 1 }.to_string();
        assert!(message(2).ends_with("is reached; raise `entity_limit`, or make it dynamic"));
        assert!(message(MAX_ENTITIES).ends_with("is reached; no world can hold more"));
    }

    #[test]
    fn a_used_up_index_is_retired() {
        let mut entities = Entities::dynamic(4);
        let (_, row) = entities.create(0).unwrap();
        let last = Entity::new(0, LAST_GENERATION);
        entities.rows[row] = last;
        entities.slots.set(0, Slot::living(row, last));
        assert_eq!(entities.row(last), Some(row));
        entities.reclaim_row(row);
        assert_eq!(entities.row(last), None);
        let (next, again) = entities.create(0).unwrap();
        assert_eq!((next.index(), again), (1, row));
    }

    #[test]
    fn a_guessed_handle_to_a_free_index_is_dead() {
        let mut entities = Entities::dynamic(4);
        let rows: Vec<_> = (0..4).map(|_| entities.create(0).unwrap().1).collect();
        for row in rows {
            entities.reclaim_row(row);
        }
        for index in 0..6 {
            for generation in 1..4 {
                let guess = Entity::new(index, NonZeroU32::new(generation).unwrap());
                assert_eq!(entities.row(guess), None);
            }
        }
    }

    proptest! {
        #![proptest_config(crate::entity::few_cases())]

        /// Compared with a map: handles are unique for ever, each entity gets the lowest free row,
        /// and exactly the entities that are alive are found.
        #[test]
        fn behaves_like_a_map(steps in proptest::collection::vec((0..80_usize, any::<u64>()), 1..40)) {
            let mut entities = Entities::dynamic(0);
            let mut model: BTreeMap<usize, Entity> = BTreeMap::new();
            let mut seen = HashSet::new();
            for (spawns, deaths) in steps {
                for _ in 0..spawns {
                    let (entity, row) = entities.create(0).unwrap();
                    prop_assert!(seen.insert(entity));
                    let lowest = (0..=model.len()).find(|r| !model.contains_key(r)).unwrap();
                    prop_assert_eq!(row, lowest);
                    model.insert(row, entity);
                }
                let dead: Vec<usize> =
                    model.keys().copied().filter(|r| deaths >> (r % 61) & 1 == 1).collect();
                for row in dead {
                    entities.reclaim_row(row);
                    model.remove(&row);
                }
                let mut moves = Vec::new();
                entities.refill(|from, to| moves.push((from, to)));
                entities.begin_step();
                for (from, to) in moves {
                    let (&last, &entity) = model.last_key_value().unwrap();
                    prop_assert_eq!(from, last);
                    prop_assert_eq!(to, (0..from).find(|row| !model.contains_key(row)).unwrap());
                    model.remove(&last);
                    model.insert(to, entity);
                }
                let end = model.last_key_value().map_or(0, |(row, _)| row + 1);
                prop_assert!(end - model.len() <= 2 * spawns);
                prop_assert_eq!(entities.rows().len(), end);
                prop_assert_eq!(entities.count(), model.len());
                for entity in &seen {
                    let row = model.iter().find(|(_, e)| *e == entity).map(|(r, _)| *r);
                    prop_assert_eq!(entities.row(*entity), row);
                }
            }
        }
    }
}
