//! The entities as bytes: indices, generations, rows, and all that determines future ones.

use core::num::NonZeroU32;

use super::{Entities, LimitReached};
use crate::entity::Entity;
use crate::entity::refused_growth;
use crate::entity::slots::{LAST_GENERATION, MAX_ENTITIES, Slot, SlotTable};
use crate::rows::{BLOCK_ROWS, BLOCKS_PER_PAGE, PAGE_ROWS, bits, lowest};
use crate::types::bytes::{Decoder, Encoder, Fault, Frames};

/// Things of eight bytes in one frame.
const AT_ONCE: usize = PAGE_ROWS;

/// Why entities are not loaded.
#[derive(Debug)]
pub(crate) enum NotLoaded {
    Fault(Fault),
    Limit(LimitReached),
}

impl From<Fault> for NotLoaded {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl Entities {
    /// Adds all of this in frames.
    pub(crate) fn save(&self, to: &mut Encoder<'_>) {
        let spare: Vec<u32> = self.spare.iter().collect();
        let retired = self.retired(&spare);
        let owners: Vec<_> = self.archetypes.owners().collect();
        to.begin_frame();
        for len in [self.rows.len(), spare.len(), retired.len(), owners.len()] {
            to.len(len);
        }
        to.u8(self.archetypes.several.into());
        to.end_frame();
        for (page, rows) in self.rows.chunks(PAGE_ROWS).enumerate() {
            let blocks = rows.len().div_ceil(BLOCK_ROWS);
            to.begin_frame_of(size_of_val(rows) + blocks * size_of::<u64>());
            put_all(to, rows);
            for block in 0..blocks {
                to.u64(self.alive.word(page * BLOCKS_PER_PAGE + block));
            }
            to.end_frame();
        }
        for some in spare.chunks(AT_ONCE) {
            to.begin_frame();
            for &index in some {
                put(to, Entity::new(index, self.slots.get(index).next_generation()));
            }
            to.end_frame();
        }
        for some in retired.chunks(AT_ONCE) {
            to.begin_frame();
            for &index in some {
                to.u32(index);
            }
            to.end_frame();
        }
        for some in owners.chunks(AT_ONCE) {
            to.begin_frame();
            for owner in some {
                to.u8(owner.is_some().into());
                to.u64(owner.unwrap_or(0));
            }
            to.end_frame();
        }
    }

    /// The indices whose generations are used up: they belong to no row, and are not spare.
    fn retired(&self, spare: &[u32]) -> Vec<u32> {
        let with_index = self.rows.len() - self.without_index;
        let left = self.slots.len() - with_index - spare.len();
        if left == 0 {
            return Vec::new();
        }
        let mut used = vec![false; self.slots.len()];
        let rows = self.rows.iter().filter(|entity| !entity.is_never());
        rows.for_each(|entity| used[entity.index() as usize] = true);
        for &index in spare {
            used[index as usize] = true;
        }
        (0..self.slots.len() as u32).filter(|&index| !used[index as usize]).collect()
    }

    /// Reads the frames into `self`, which is new. It may be anything after an error.
    pub(crate) fn load(&mut self, from: &mut Frames<'_>) -> Result<(), NotLoaded> {
        let mut head = from.expect()?;
        let mut counts = [0; 4];
        for count in &mut counts {
            *count = usize::try_from(head.u64()?).unwrap_or(usize::MAX);
        }
        let several = head.u8()? != 0;
        head.end()?;
        let [rows, spare, retired, pages] = counts;
        if rows > self.most {
            return Err(NotLoaded::Limit(self.limit_reached(rows - self.most)));
        }
        self.load_rows(from, rows)?;
        let with_index = rows - self.without_index;
        let indices = with_index.saturating_add(spare).saturating_add(retired);
        if indices > MAX_ENTITIES {
            return Err(Fault::new("there are more indices than any world has").into());
        }
        let mut others = Vec::new();
        some(from, spare, |frame| {
            let next = possible(frame)?;
            others.push((next.index(), Some(next.generation())));
            Ok(())
        })?;
        some(from, retired, |frame| {
            others.push((frame.u32()?, None));
            Ok(())
        })?;
        let mut owners = Vec::new();
        some(from, pages, |frame| {
            let (is_owned, key) = (frame.u8()? != 0, frame.u64()?);
            owners.push(is_owned.then_some(key));
            Ok(())
        })?;
        from.end()?;
        // All of these are as many as there are bytes for.
        self.load_slots(indices, &others)?;
        self.slots.estimate(&self.rows, rows);
        if !self.is_fixed() {
            self.slots.pack(&self.spare);
        }
        self.archetypes.load(several.then_some(&owners), &self.alive, self.count, rows)?;
        Ok(())
    }

    fn load_rows(&mut self, from: &mut Frames<'_>, rows: usize) -> Result<(), Fault> {
        self.rows.reserve(rows.min(from.len() / size_of::<Entity>()));
        while self.rows.len() < rows {
            let page = self.rows.len() / PAGE_ROWS;
            let count = (rows - self.rows.len()).min(PAGE_ROWS);
            let mut frame = from.expect()?;
            let handles = frame.take(count * size_of::<Entity>())?;
            let handles = handles.as_chunks().0.iter().map(|bytes| u64::from_le_bytes(*bytes));
            let mut unindexed = 0;
            let first = self.rows.len();
            self.rows.extend(handles.map(|bits| {
                unindexed += usize::from(!is_possible(bits as u32));
                let generation = NonZeroU32::new(bits as u32).unwrap_or(NonZeroU32::MIN);
                Entity::new((bits >> 32) as u32, generation)
            }));
            // A row without an index has `NEVER`, whose generation is that of no entity.
            if unindexed > 0 {
                let never = self.rows[first..].iter().filter(|entity| entity.is_never());
                if never.count() != unindexed {
                    return Err(impossible());
                }
                self.without_index += unindexed;
            }
            for block in 0..count.div_ceil(BLOCK_ROWS) {
                let word = frame.u64()?;
                if word & !lowest(u64::MAX, count - block * BLOCK_ROWS) != 0 {
                    return Err(Fault::new("an entity lies in a row behind the last one"));
                }
                let is_never = |bit: usize| self.rows[first + block * BLOCK_ROWS + bit].is_never();
                if unindexed > 0 && bits(word).any(is_never) {
                    return Err(impossible());
                }
                self.alive.add(page * BLOCKS_PER_PAGE + block, word);
                self.count += word.count_ones() as usize;
            }
            frame.end()?;
        }
        self.capacity = self.capacity.max(self.count);
        Ok(())
    }

    /// Makes the table of indices, each of which is that of a row or one of the others.
    fn load_slots(
        &mut self,
        indices: usize,
        others: &[(u32, Option<NonZeroU32>)],
    ) -> Result<(), Fault> {
        let Self { slots, rows, spare, alive, .. } = self;
        if !slots.try_reserve(indices) {
            refused_growth(indices.saturating_mul(size_of::<Slot>()));
        }
        // Until all indices are there, the slot of each that is there differs from a free one.
        for (block, entities) in rows.chunks(BLOCK_ROWS).enumerate() {
            let (first, living) = (block * BLOCK_ROWS, alive.word(block));
            if living == u64::MAX && note_sequence(slots, indices, entities, first) {
                continue;
            }
            slots.extend_to(indices);
            for (row, &entity) in (first..).zip(entities) {
                if entity.is_never() {
                    continue;
                }
                let is_living = living >> (row % BLOCK_ROWS) & 1 == 1;
                let slot = if is_living { Slot::living(row, entity) } else { Slot::NOTED };
                note(slots, entity.index(), slot)?;
            }
        }
        slots.extend_to(indices);
        for &(index, next) in others {
            note(slots, index, next.map_or(Slot::NOTED, Slot::spare))?;
            if next.is_some() {
                spare.insert(index);
            }
        }
        for (block, entities) in rows.chunks(BLOCK_ROWS).enumerate() {
            let free = !alive.word(block) & lowest(u64::MAX, entities.len());
            let free = bits(free).map(|bit| entities[bit]);
            free.filter(|entity| !entity.is_never())
                .for_each(|entity| slots.set(entity.index(), Slot::FREE));
        }
        for (index, _) in others.iter().filter(|(_, next)| next.is_none()) {
            slots.set(*index, Slot::FREE);
        }
        Ok(())
    }
}

/// Notes the slot of an index that has none yet.
fn note(slots: &mut SlotTable, index: u32, slot: Slot) -> Result<(), Fault> {
    if (index as usize) < slots.len() && slots.get(index) == Slot::FREE {
        slots.set(index, slot);
        return Ok(());
    }
    Err(Fault::new(format!("the index {index} is not that of one entity")))
}

/// If the indices of these entities, of the rows from `first` on, are a sequence below `indices`, and have no slots yet, notes their
/// slots. Returns whether it does. What `slots` does not have yet is free.
fn note_sequence(slots: &mut SlotTable, indices: usize, entities: &[Entity], first: usize) -> bool {
    let index = entities[0].index();
    let are_in_sequence = |all, (index, entity): (u32, &Entity)| all & (entity.index() == index);
    // (No number of an index is near the largest one.)
    if index as usize >= indices
        || indices - (index as usize) < entities.len()
        || !(index..).zip(entities).fold(true, are_in_sequence)
    {
        return false;
    }
    let (start, end) = (index as usize, index as usize + entities.len());
    let new = entities.iter().enumerate();
    let new = new.map(|(at, &entity)| Slot::living(first + at, entity));
    if slots.len() == start {
        slots.extend(new);
        return true;
    }
    if slots.len() < end {
        slots.extend_to(end);
    }
    let are_free = (index..end as u32).all(|index| slots.get(index) == Slot::FREE);
    if are_free {
        (index..).zip(new).for_each(|(index, new)| slots.set(index, new));
    }
    are_free
}

/// Reads as many things, of which each frame has up to [`AT_ONCE`].
fn some(
    from: &mut Frames<'_>,
    count: usize,
    mut read: impl FnMut(&mut Decoder<'_>) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let mut left = count;
    while left > 0 {
        let mut frame = from.expect()?;
        let these = left.min(AT_ONCE);
        for _ in 0..these {
            read(&mut frame)?;
        }
        frame.end()?;
        left -= these;
    }
    Ok(())
}

/// Adds a handle: the generation, then the index.
pub(crate) fn put(to: &mut Encoder<'_>, entity: Entity) {
    to.u64(u64::from(entity.generation().get()) | u64::from(entity.index()) << 32);
}

/// Adds handles.
fn put_all(to: &mut Encoder<'_>, entities: &[Entity]) {
    if cfg!(target_endian = "little") {
        to.put(bytemuck::cast_slice(entities));
    } else {
        for entity in entities {
            put(to, *entity);
        }
    }
}

fn of_bits(bits: u64) -> Option<Entity> {
    let index = (bits >> 32) as u32;
    NonZeroU32::new(bits as u32).map(|generation| Entity::new(index, generation))
}

/// The handle that is next. It may be any.
pub(crate) fn entity(from: &mut Decoder<'_>) -> Result<Entity, Fault> {
    of_bits(from.u64()?).ok_or_else(impossible)
}

/// The handle that is next, which an entity can have.
fn possible(from: &mut Decoder<'_>) -> Result<Entity, Fault> {
    entity(from).and_then(|entity| {
        if is_possible(entity.generation().get()) { Ok(entity) } else { Err(impossible()) }
    })
}

/// Whether some entity can have this generation.
#[inline]
fn is_possible(generation: u32) -> bool {
    generation.wrapping_sub(1) < LAST_GENERATION.get()
}

#[cold]
fn impossible() -> Fault {
    Fault::new("a handle has a generation that no entity has")
}
