//! Insertion and removal of one component for many entities, given by an iterator.
//!
//! Entities mostly come in the order of their rows. As long as consecutive entities lie in the same
//! block, their presence is collected in a local word, and the presence set is updated once for the
//! block. Any other order works too, with more updates.

use core::mem::needs_drop;

use super::{
    BLOCK_ROWS, Buffer, Column, ContiguousBuffer, PAGE_ROWS, Presence, Storage, Stored, Versions,
};
use super::{HasColumn, assert_names, layout_of};
use crate::entity::{Entities, Locate};

impl Storage {
    /// Like [`insert`](Self::insert) for each pair whose entity is alive. Returns the number of
    /// these pairs. Old values, and values for entities that are not alive, are dropped
    /// immediately. If the iterator or a destructor panics, all earlier pairs have been inserted.
    #[inline]
    pub(crate) fn insert_batch<D: HasColumn<C>, C: 'static, L: Locate>(
        &mut self,
        pairs: impl Iterator<Item = (L, C)>,
    ) -> usize {
        <D::Strategy as Stored<C>>::insert_batch::<D, L>(self, pairs)
    }

    /// Like [`remove`](Self::remove) for each entity. Returns the number of entities that had a
    /// `C`. Values are dropped immediately, unless a system reads what was removed. If the iterator or a destructor panics, the values of
    /// all earlier entities have been removed.
    #[inline]
    pub(crate) fn remove_batch<D: HasColumn<C>, C: 'static, L: Locate>(
        &mut self,
        entities: impl Iterator<Item = L>,
    ) -> usize {
        if const { D::KEEPS_REMOVED } {
            return self.discard_each::<D, C, L>(entities);
        }
        <D::Strategy as Stored<C>>::remove_batch::<D, L>(self, entities)
    }
}

/// The column of a component in a buffer, mutable.
struct Parts<'a> {
    presence: &'a mut Presence,
    versions: &'a Versions,
    buffer: &'a mut Buffer,
    /// The offset of the value in a row.
    offset: usize,
    entities: &'a Entities,
}

impl<'a> Parts<'a> {
    /// The column of the component `C`.
    ///
    /// # Panics
    /// If the values of `C` are in external storage, or the declaration gives `C` the index of
    /// another type.
    fn of<D: HasColumn<C>, C: 'static>(storage: &'a mut Storage) -> Self {
        assert_names::<D, C>();
        let Storage { entities, buffers, columns, .. } = storage;
        let column = &mut *columns[<D as HasColumn<C>>::INDEX];
        let (buffer, layout) = column.buffered();
        let buffer = &mut buffers[buffer];
        let Column { presence, versions, .. } = column;
        Self { presence, versions, buffer, offset: layout.offset, entities }
    }

    /// The rows in use in the block of `row`, and the address for the block's values, which may be
    /// written over. `None` if `row` is not in use; it may be any number.
    #[inline(never)]
    fn living(&mut self, row: usize) -> Option<(u64, *mut u8)> {
        let alive = self.entities.alive().word(row / BLOCK_ROWS);
        if alive >> (row % BLOCK_ROWS) & 1 == 0 {
            return None;
        }
        // Where a value is written over another one, presence stays as it is.
        self.versions.forget(row / PAGE_ROWS);
        let first = row / BLOCK_ROWS * BLOCK_ROWS;
        let start = self.buffer.row_or_allocate(first, || self.presence.count());
        Some((alive, start.wrapping_add(self.offset)))
    }

    /// The start of the values of a block, which has some.
    fn values(&self, block: usize, stride: usize) -> *mut u8 {
        debug_assert!(block * BLOCK_ROWS < self.buffer.rows(), "a value without memory");
        self.buffer.start().wrapping_add(block * BLOCK_ROWS * stride + self.offset)
    }

    /// Makes `rows` the rows of a block that have a value. Returns the number of rows that change.
    /// For a block beyond all pages, `rows` must be empty and nothing changes.
    #[inline(never)]
    fn publish(&mut self, block: usize, rows: u64) -> usize {
        let before = self.presence.word(block);
        if rows & !before != 0 {
            self.presence.add(block, rows);
        }
        if before & !rows != 0 {
            self.presence.clear(block, !rows);
        }
        (before ^ rows).count_ones() as usize
    }
}

/// The rows of one block that have a value, with the changes so far. The presence set is updated
/// when the iterator moves to another block and when this is dropped, also by a panic.
struct Turn<'p, 'a> {
    parts: &'p mut Parts<'a>,
    block: usize,
    /// The rows with a live value.
    rows: u64,
}

impl<'p, 'a> Turn<'p, 'a> {
    /// Creates it without a block.
    #[inline]
    fn new(parts: &'p mut Parts<'a>) -> Self {
        Self { parts, block: usize::MAX, rows: 0 }
    }

    /// Moves to another block. Returns the number of rows that changed in the last one.
    #[inline]
    fn to(&mut self, block: usize) -> usize {
        let changed = self.parts.publish(self.block, self.rows);
        self.block = block;
        self.rows = self.parts.presence.word(block);
        changed
    }
}

impl Drop for Turn<'_, '_> {
    #[inline]
    fn drop(&mut self) {
        self.parts.publish(self.block, self.rows);
    }
}

/// Inserts values into a buffer; see [`Storage::insert_batch`].
#[inline]
pub(super) fn insert<D: HasColumn<C, Strategy = ContiguousBuffer>, C: 'static, L: Locate>(
    storage: &mut Storage,
    pairs: impl Iterator<Item = (L, C)>,
) -> usize {
    let stride = const { layout_of::<D>(<D as HasColumn<C>>::INDEX).stride };
    let mut parts = Parts::of::<D, C>(storage);
    let handles = parts.entities.handles();
    let mut turn = Turn::new(&mut parts);
    // The rows in use in the block, and the start of its values.
    let (mut alive, mut first) = (0, core::ptr::null_mut::<u8>());
    let mut count = 0;
    for (entity, value) in pairs {
        let Some(row) = entity.row_to_ask(handles) else { continue };
        if row / BLOCK_ROWS != turn.block {
            let Some(there) = turn.parts.living(row) else { continue };
            turn.to(row / BLOCK_ROWS);
            (alive, first) = there;
        }
        let (offset, bit) = (row % BLOCK_ROWS, 1 << (row % BLOCK_ROWS));
        if alive & bit == 0 {
            continue;
        }
        count += 1;
        // SAFETY: some row of the block is in use, and `living` has made the buffer grow to the block if
        // needed: it is one allocation of this stride times its rows. `first` is the address
        // for the value of the block's first row.
        let place = unsafe { first.add(offset * stride) }.cast::<C>();
        if needs_drop::<C>() && turn.rows & bit != 0 {
            // SAFETY: `Parts::of` has asserted that the column holds values of type `C`. A live one
            // lies there, as the row is in `turn.rows`. It is dropped after the new one has taken
            // its place.
            drop(unsafe { place.replace(value) });
        } else {
            // SAFETY: as above, the address is in the row's own memory at the offset that the
            // layout reserves for `C`, so it is aligned and there is enough space. Either no live
            // value lies there, or one that does not need to be dropped. The next line adds the row
            // to `turn.rows`, and nothing can panic in between.
            unsafe { place.write(value) };
            turn.rows |= bit;
        }
    }
    count
}

/// Removes values from a buffer; see [`Storage::remove_batch`].
#[inline]
pub(super) fn remove<D: HasColumn<C, Strategy = ContiguousBuffer>, C: 'static, L: Locate>(
    storage: &mut Storage,
    rows: impl Iterator<Item = L>,
) -> usize {
    let stride = const { layout_of::<D>(<D as HasColumn<C>>::INDEX).stride };
    let mut parts = Parts::of::<D, C>(storage);
    let handles = parts.entities.handles();
    let mut turn = Turn::new(&mut parts);
    // The start of the values of the block, if it has any.
    let mut first = core::ptr::null_mut::<u8>();
    let mut count = 0;
    for entity in rows {
        let Some(row) = entity.row_to_ask(handles) else { continue };
        if row / BLOCK_ROWS != turn.block {
            count += turn.to(row / BLOCK_ROWS);
            if needs_drop::<C>() && turn.rows != 0 {
                first = turn.parts.values(turn.block, stride);
            }
        }
        let (offset, bit) = (row % BLOCK_ROWS, 1 << (row % BLOCK_ROWS));
        let had = turn.rows & bit != 0;
        turn.rows &= !bit;
        if needs_drop::<C>() && had {
            // SAFETY: the row had a value when `turn` moved to the block, so there is memory for it,
            // with this stride times the block's rows. `first` is the address for the value of the block's
            // first row.
            let place = unsafe { first.add(offset * stride) }.cast::<C>();
            // SAFETY: `Parts::of` has asserted that the column holds values of type `C`. A live one
            // lay there, as the row was in `turn.rows`. The row has just left `turn.rows`, and
            // `turn` updates the presence set before anything else reads it, even if the destructor
            // panics. So the value may move out.
            drop(unsafe { place.read() });
        }
    }
    // Leaves the last block, so that its changes are counted too.
    count + turn.to(usize::MAX)
}
