//! A component given to many entities at once, or taken from them, as they come from an iterator.
//!
//! Names of entities mostly come in the order of rows. As long as the next one lives in the block of the one
//! before, who has the component is noted in a word of our own, and the presence set learns of it once for all of
//! the block. Any other order does as well; it has more blocks to turn to.

use core::mem::needs_drop;

use super::{BLOCK_ROWS, BLOCKS_PER_PAGE, Buffer, ContiguousBuffer, Presence, Storage, Stored};
use super::{assert_names, layout_of};
use crate::entity::{Entities, Locate};
use crate::signature::HasComponent;

impl Storage {
    /// As [`insert`](Self::insert) for each pair of which the entity is alive: how many these are. Old values,
    /// and those for the dead, are dropped, each at its turn. Should the iterator or a destructor panic, the
    /// pairs before have what they are to have.
    #[inline]
    pub(crate) fn insert_batch<D, C, L>(&mut self, pairs: impl Iterator<Item = (L, C)>) -> usize
    where
        D: HasComponent<C>,
        C: 'static,
        L: Locate,
    {
        <D::Strategy as Stored<C>>::insert_batch::<D, L>(self, pairs)
    }

    /// As [`remove`](Self::remove) for each entity: how many had a `C`. Values are dropped, each at its turn. Should
    /// the iterator or a destructor panic, the entities before have lost theirs.
    #[inline]
    pub(crate) fn remove_batch<D, C, L>(&mut self, entities: impl Iterator<Item = L>) -> usize
    where
        D: HasComponent<C>,
        C: 'static,
        L: Locate,
    {
        <D::Strategy as Stored<C>>::remove_batch::<D, L>(self, entities)
    }
}

/// The column of a component that lies in a buffer, to change.
struct Parts<'a> {
    presence: &'a mut Presence,
    buffer: &'a mut Buffer,
    /// Where in a row the value lies.
    offset: usize,
    entities: &'a Entities,
}

impl<'a> Parts<'a> {
    /// Of the component `C`.
    ///
    /// # Panics
    /// If a strategy keeps the values of `C`, or the declaration gives `C` the index of another type.
    fn of<D: HasComponent<C>, C: 'static>(storage: &'a mut Storage) -> Self {
        assert_names::<D, C>();
        let Storage { entities, buffers, columns, .. } = storage;
        let column = &mut columns[<D as HasComponent<C>>::INDEX];
        let (buffer, layout) = column.buffered();
        let buffer = &mut buffers[buffer];
        Self { presence: &mut column.presence, buffer, offset: layout.offset, entities }
    }

    /// Who lives in the block of a row, and where the block's values lie or would lie; `None` if nobody lives in the row,
    /// which may be any number then.
    #[inline(never)]
    fn living(&mut self, row: usize) -> Option<(u64, *mut u8)> {
        let alive = self.entities.alive().word(row / BLOCK_ROWS);
        if alive >> (row % BLOCK_ROWS) & 1 == 0 {
            return None;
        }
        let first = self.buffer.row_or_allocate(row / BLOCK_ROWS * BLOCK_ROWS);
        Some((alive, first.wrapping_add(self.offset)))
    }

    /// Where the values of a block lie, some of which are there.
    fn values(&self, block: usize, stride: usize) -> *mut u8 {
        let page = self.buffer.page(block / BLOCKS_PER_PAGE).expect("a value without a page");
        page.wrapping_add(block % BLOCKS_PER_PAGE * BLOCK_ROWS * stride + self.offset)
    }

    /// Has those who have a value in a block be `rows`; how many have changed. In a block beyond all pages there are
    /// none, and none come to be.
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

/// Who has a value in one block, as it becomes. The presence set learns of it when this turns to another block, and
/// when it goes: by a panic, too.
struct Turn<'p, 'a> {
    parts: &'p mut Parts<'a>,
    block: usize,
    /// The rows with a live value.
    rows: u64,
}

impl<'p, 'a> Turn<'p, 'a> {
    /// In no block.
    #[inline]
    fn new(parts: &'p mut Parts<'a>) -> Self {
        Self { parts, block: usize::MAX, rows: 0 }
    }

    /// Turns to another block; how many rows have changed in this one.
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

/// Gives values that lie in a buffer; see [`Storage::insert_batch`].
#[inline]
pub(super) fn insert<D, C, L>(storage: &mut Storage, pairs: impl Iterator<Item = (L, C)>) -> usize
where
    D: HasComponent<C, Strategy = ContiguousBuffer>,
    C: 'static,
    L: Locate,
{
    let stride = const { layout_of::<D>(<D as HasComponent<C>>::INDEX).stride };
    let mut parts = Parts::of::<D, C>(storage);
    let handles = parts.entities.handles();
    let mut turn = Turn::new(&mut parts);
    // Of the block: who lives there, and where values lie.
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
        // SAFETY: somebody lives in the block, so it lies in a page, which `living` has made if need be: one
        // allocation of this stride times its rows, and `first` is where the value of the block's first row
        // would lie.
        let place = unsafe { first.add(offset * stride) }.cast::<C>();
        if needs_drop::<C>() && turn.rows & bit != 0 {
            // SAFETY: `Parts::of` has asserted that the column holds values of type `C`, and a live one lies there, as
            // `turn` knows. It is dropped when the new one is in its place.
            drop(unsafe { place.replace(value) });
        } else {
            // SAFETY: as above, the place is in the row's own memory at the offset that the layout keeps for `C`, so it
            // is aligned and large enough. No live value lies there, or one that nobody has to drop. From the next line
            // on `turn` knows of this one, and nothing can panic in between.
            unsafe { place.write(value) };
            turn.rows |= bit;
        }
    }
    count
}

/// Takes values out of a buffer; see [`Storage::remove_batch`].
#[inline]
pub(super) fn remove<D, C, L>(storage: &mut Storage, rows: impl Iterator<Item = L>) -> usize
where
    D: HasComponent<C, Strategy = ContiguousBuffer>,
    C: 'static,
    L: Locate,
{
    let stride = const { layout_of::<D>(<D as HasComponent<C>>::INDEX).stride };
    let mut parts = Parts::of::<D, C>(storage);
    let handles = parts.entities.handles();
    let mut turn = Turn::new(&mut parts);
    // Where the values of the block lie, if it has any.
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
        if needs_drop::<C>() && turn.rows & bit != 0 {
            turn.rows &= !bit;
            // SAFETY: the row had a value when `turn` came to the block, so its page is there, one allocation of this
            // stride times its rows, and `first` is where the value of the block's first row would lie.
            let place = unsafe { first.add(offset * stride) }.cast::<C>();
            // SAFETY: `Parts::of` has asserted that the column holds values of type `C`; a live one lies there, as `turn`
            // knew. Now it knows that none does, and so will the presence set before anybody else asks it, even if
            // the destructor panics: so the value may move out.
            drop(unsafe { place.read() });
        } else {
            turn.rows &= !bit;
        }
    }
    // In no block from here on: so what has changed in the last one is counted, too.
    count + turn.to(usize::MAX)
}
