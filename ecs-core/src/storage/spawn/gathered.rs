//! Spawns of one entity at a time, gathered until the next read.
//!
//! Entities that are spawned one by one mostly follow one another with the same components. Rows are therefore
//! allocated for some of them in advance. What remains for each entity is to write its values. Presence, the table of handles
//! and counts follow for all of them together.

use core::marker::PhantomData;

use crate::entity::{AllocatedRows, Entity, Lengths, LimitReached, RowRanges};
use crate::parallel::Workers;
use crate::storage::memory::place_of;
use crate::storage::{
    BLOCK_ROWS, Column, HasColumn, Storage, Values, assert_names, buffer_of, end_of,
};
use crate::types::{Brand, IndexSet};

/// The least and the largest number of rows that are allocated at once.
const ROWS: [usize; 2] = [8, 16 * BLOCK_ROWS];

/// The number of entities with the same components that are created alone before others are gathered: as many spawns in a
/// row may end with the next read of the world, and rows would be allocated for none.
const ALONE: usize = 3;

/// Spawns of entities with the same components.
#[derive(Debug)]
pub(in crate::storage) struct Gathered {
    /// The components of the entity that was spawned last, unless the storage was read since.
    components: Option<&'static IndexSet>,
    /// The number of entities with these components that were created alone.
    alone: usize,
    archetype: usize,
    /// The rows, if some are allocated.
    rows: Vec<AllocatedRows>,
    /// How many of these blocks were begun.
    begun: usize,
    /// The block that was begun last, and its rows that were not taken yet.
    block: usize,
    left: u64,
    /// The number of rows that all buffers of these components have memory for, as far as is known.
    memory: usize,
    /// The lengths of the tables before; `None` if no rows are allocated.
    before: Option<Lengths>,
    /// The number of rows that were to be allocated last.
    last: usize,
}

impl Gathered {
    /// No spawns. Their rows need no further memory, however they lie.
    pub(in crate::storage) fn new() -> Self {
        let rows = Vec::with_capacity(ROWS[1]);
        Self {
            components: None,
            alone: 0,
            archetype: 0,
            rows,
            begun: 0,
            block: 0,
            left: 0,
            memory: 0,
            before: None,
            last: 0,
        }
    }

    /// Whether the entity that was spawned last is known to have these components.
    #[inline(always)]
    fn are_of(&self, components: &'static IndexSet) -> bool {
        self.components.is_some_and(|last| core::ptr::eq(last, components))
    }
}

impl Storage {
    /// The row of the next entity with these components, which must all lie in buffers. `None`, once all others are completed, if
    /// the entity is to be created [alone](Self::create): as the last one had other components, or as there is no room.
    ///
    /// The storage must not be read before [`complete_spawns`](Self::complete_spawns) is called. Rows and handles are
    /// those that [`create`](Self::create) would give.
    #[inline(always)]
    pub(crate) fn next_row<D>(
        &mut self,
        components: &'static IndexSet,
        key: u64,
    ) -> Option<NewRow<'_, D>> {
        let is_next = self.gathered.left != 0 && self.gathered.are_of(components);
        if !is_next && !self.gather(components, key) {
            return None;
        }
        let Gathered { block, left, .. } = self.gathered;
        let row = block * BLOCK_ROWS + left.trailing_zeros() as usize;
        Some(NewRow { storage: self, row, components, declaration: PhantomData })
    }

    /// Provides the next rows for entities with these components. Returns whether there are some.
    #[cold]
    #[inline(never)]
    fn gather(&mut self, components: &'static IndexSet, key: u64) -> bool {
        let gathered = &mut self.gathered;
        // The set of a bundle may have several addresses.
        let are_same = gathered.components.is_some_and(|last| last == components);
        if are_same {
            gathered.components = Some(components);
            if gathered.left != 0 || self.begin_block() {
                return true;
            }
        }
        self.complete();
        let gathered = &mut self.gathered;
        if !are_same {
            (gathered.components, gathered.alone, gathered.last) = (Some(components), 0, 0);
        }
        if gathered.alone < ALONE {
            gathered.alone += 1;
            return false;
        }
        let archetype = self.entities.archetype_of(key);
        let before = self.entities.checkpoint(archetype);
        // No more than there is memory for: it would grow, perhaps for none.
        let most = self.entities.reserved().max(ROWS[0]);
        let wanted = (4 * gathered.last).clamp(ROWS[0], ROWS[1]);
        let (count, workers) = (wanted.min(most), Workers::inline());
        if self.entities.allocate(archetype, count, 0, &mut gathered.rows, &workers) == 0 {
            return false;
        }
        (gathered.archetype, gathered.before, gathered.last) = (archetype, Some(before), wanted);
        (gathered.begun, gathered.memory) = (0, 0);
        self.begin_block()
    }

    /// Begins the next block. Returns whether there is one.
    fn begin_block(&mut self) -> bool {
        let Gathered { begun, components, .. } = self.gathered;
        let Some(&AllocatedRows { block, rows, .. }) = self.gathered.rows.get(begun) else {
            return false;
        };
        let end = end_of(block as usize, rows);
        if end > self.gathered.memory {
            // No further: with as many rows as the entities will have, the columns may grow for none.
            let more = self.gathered.rows.iter().map(AllocatedRows::count).sum();
            self.reserve_values(components, end, more);
            self.gathered.memory = self.rows_with_memory(components);
            assert!(end <= self.gathered.memory, "there is no memory for the new rows");
        }
        let gathered = &mut self.gathered;
        (gathered.block, gathered.left, gathered.begun) = (block as usize, rows, begun + 1);
        true
    }

    /// The number of rows that the buffers of these components all have memory for.
    fn rows_with_memory(&self, components: Option<&IndexSet>) -> usize {
        let mut components = components.copied().unwrap_or(IndexSet::EMPTY);
        let mut rows = usize::MAX;
        while let Some(index) = components.pop() {
            rows = rows.min(match self.columns[index].values {
                Values::Buffered { buffer, .. } => self.buffers[buffer].rows(),
                Values::External(_) => usize::MAX,
                Values::Elsewhere => 0,
            });
        }
        rows
    }

    /// Completes the entities that were spawned, so that the storage can be read.
    pub(crate) fn complete_spawns(&mut self) {
        self.complete();
        self.gathered.components = None;
    }

    /// Completes the entities that were spawned, and frees the rows that none has taken.
    fn complete(&mut self) {
        let gathered = &mut self.gathered;
        let Some(before) = gathered.before.take() else { return };
        let (mut left, mut rows) =
            (core::mem::take(&mut gathered.left), core::mem::take(&mut gathered.rows));
        if left != 0 || gathered.begun < rows.len() {
            for at in (gathered.begun.saturating_sub(1)..rows.len()).rev() {
                let AllocatedRows { block, rows, .. } = &mut rows[at];
                let free = if at < gathered.begun { core::mem::take(&mut left) } else { *rows };
                self.entities.withdraw(*block as usize, free);
                *rows &= !free;
            }
            rows.truncate(gathered.begun);
            // The block that was begun last may have given no row.
            rows.retain(|allocated| allocated.rows != 0);
            self.entities.shorten(before);
        }
        let spawned: usize = rows.iter().map(AllocatedRows::count).sum();
        self.entities.count_spawns(gathered.archetype, spawned);
        self.entities.note_spawned(&rows);
        self.entities.occupy_all(&rows);
        // Only a tuple of these components has taken rows, so that each is one of the world. A bundle that anyone has written may
        // name others, and takes none.
        let components = gathered.components.filter(|_| spawned > 0);
        let mut components = components.copied().unwrap_or(IndexSet::EMPTY);
        while let Some(index) = components.pop() {
            let presence = &mut self.columns[index].presence;
            for rows in RowRanges::of(&rows).by_page() {
                presence.add_each(rows.page(), rows.iter(), rows.count());
            }
            self.note_spawned(index, &rows);
        }
        rows.clear();
        self.gathered.rows = rows;
    }

    /// Creates an entity without components, for components with this [key](IndexSet::key). None may be gathered.
    #[inline]
    pub(crate) fn create(&mut self, key: u64) -> Result<(Entity, usize), LimitReached> {
        debug_assert!(self.gathered.before.is_none());
        let archetype = self.entities.archetype_of(key);
        self.entities.create(archetype)
    }
}

/// A row that is allocated for the next entity with some components. It has none yet.
///
/// Only tuples use it. A bundle that a declaration names passes it on to its tuple.
#[doc(hidden)]
#[derive(Debug)]
pub struct NewRow<'a, D> {
    storage: &'a mut Storage,
    row: usize,
    components: &'static IndexSet,
    declaration: Brand<D>,
}

impl<'a, D> NewRow<'a, D> {
    /// Whether the row is for these components. Anyone may implement `Bundle`, and pass the row of one bundle on to
    /// another.
    #[inline(always)]
    pub(crate) fn is_for(&self, components: &'static IndexSet) -> bool {
        core::ptr::eq(self.components, components) || self.components == components
    }

    /// The address for a `C`. If the row is for a `C`, that is aligned memory of the row where no value lies.
    #[inline(always)]
    pub(crate) fn place<C: 'static>(&self) -> *mut C
    where
        D: HasColumn<C>,
    {
        // That the column holds values of type `C`, and where.
        assert_names::<D, C>();
        let Some(number) = (const { buffer_of::<D, C>() }) else { Column::of_another_kind() };
        let (offset, stride) = const { place_of::<D>(<D as HasColumn<C>>::INDEX) };
        // SAFETY: the storage was made for `D`, with as many buffers as there are components.
        let buffer = unsafe { self.storage.buffers.get_unchecked(number) };
        // `begin_block` has asserted that the buffer has memory for the row. There is space for a `C` at this offset, and
        // no live value, as the row has no components.
        debug_assert!(self.row < buffer.rows());
        buffer.start().wrapping_add(self.row * stride + offset).cast()
    }

    /// The entity that gets the row once it is [taken](Self::take).
    #[inline(always)]
    pub(crate) fn entity(&self) -> Entity {
        self.storage.entities.rows()[self.row]
    }

    /// Gives the row to its entity.
    ///
    /// # Safety
    /// Each component that the row is for must have been written.
    #[inline(always)]
    pub(crate) unsafe fn take(self) {
        let gathered = &mut self.storage.gathered;
        gathered.left &= gathered.left.wrapping_sub(1);
    }

    /// Leaves the row, and completes the entities before.
    pub(crate) fn leave(self) -> &'a mut Storage {
        self.storage.complete_spawns();
        self.storage
    }
}
