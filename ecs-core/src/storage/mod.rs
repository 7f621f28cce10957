//! *Main storage*: entity metadata and component data (thesis, chapter 9).
//!
//! Components, presence and subscriptions are addressed by *row*. Rows come in pages of
//! [`PAGE_ROWS`], pages in blocks of [`BLOCK_ROWS`]. A component's values lie in a [`Buffer`], at
//! an offset and a stride that follow from the declaration; which rows have one is said by the
//! component's own [`Presence`]. A reference to a whole row of an interleaved buffer is never
//! formed, so two systems may use different components of one buffer at once.

mod buffer;
mod layout;
mod presence;

use buffer::Buffer;
pub(crate) use layout::{fits, layout_of};
pub(crate) use presence::{PageWords, Presence};

use crate::component::{Component, TypeInfo};
use crate::entity::Entities;
use crate::scheduler::{PanicSlot, Workers, fork_each};
use crate::signature::{Declaration, HasComponent};

/// Rows per block: slices of a system are cut between blocks, so that no two subtasks share a word
/// of any presence set.
pub const BLOCK_ROWS: usize = 64;

/// Blocks per page: the blocks of a page make one word, too.
pub(crate) const BLOCKS_PER_PAGE: usize = 64;

/// Rows per page.
pub const PAGE_ROWS: usize = BLOCK_ROWS * BLOCKS_PER_PAGE;

/// The entities and components of a world.
#[derive(Debug)]
pub struct Storage {
    pub(crate) entities: Entities,
    buffers: Vec<Buffer>,
    columns: Vec<Column>,
}

/// One component: where its values lie and who has one.
///
/// Invariant: the rows in `presence` are exactly those that hold a live value.
#[derive(Debug)]
struct Column {
    buffer: usize,
    layout: layout::Layout,
    info: TypeInfo,
    presence: Presence,
}

impl Storage {
    pub(crate) fn new<D: Declaration>(fixed: Option<usize>, initial: usize) -> Self {
        let columns: Vec<Column> = (0..D::COMPONENTS.len())
            .map(|index| Column {
                buffer: D::COMPONENTS[index].buffer(),
                layout: layout_of::<D>(index),
                info: *D::COMPONENTS[index].info(),
                presence: Presence::new(fixed.unwrap_or(initial), fixed.is_some()),
            })
            .collect();
        let buffers = (0..D::COMPONENTS.len())
            .map(|buffer| {
                let first = columns.iter().find(|column| column.buffer == buffer);
                first.map_or_else(
                    || Buffer::new(0, 1, fixed, 0),
                    |c| Buffer::new(c.layout.stride, c.layout.align, fixed, initial),
                )
            })
            .collect();
        Self { entities: Entities::new(fixed, initial), buffers, columns }
    }

    /// The column of `C`.
    ///
    /// # Panics
    /// If the declaration gives `C` the index of another type.
    #[inline]
    fn column<D: HasComponent<C>, C: 'static>(&self) -> &Column {
        assert_names::<D, C>();
        &self.columns[<D as HasComponent<C>>::INDEX]
    }

    /// The pages that hold the values of `C`, null where there is none yet, and where in a row the
    /// value lies.
    #[inline]
    pub(crate) fn pages<D: HasComponent<C>, C: 'static>(&self) -> (&[*mut u8], usize) {
        let column = self.column::<D, C>();
        (self.buffers[column.buffer].pages(), column.layout.offset)
    }

    /// Where the value of `C` in `row` lies, if the row has one.
    #[inline]
    pub(crate) fn value<D: HasComponent<C>, C: 'static>(&self, row: usize) -> Option<*mut C> {
        let column = self.column::<D, C>();
        column.presence.contains(row).then(|| column.at(&self.buffers, row).cast())
    }

    /// The value of `C` in `row`.
    #[inline]
    pub(crate) fn get<D: HasComponent<C>, C: Component>(&self, row: usize) -> Option<&C> {
        let value = self.value::<D, C>(row)?;
        // SAFETY: the row is in the presence set, so `value` points to a live `C`. Nothing writes
        // components through `&Storage` but subtasks, and during those only subtasks hold it.
        Some(unsafe { &*value })
    }

    /// The value of `C` in `row`, to write.
    #[inline]
    pub(crate) fn get_mut<D: HasComponent<C>, C: Component>(
        &mut self,
        row: usize,
    ) -> Option<&mut C> {
        let value = self.value::<D, C>(row)?;
        // SAFETY: the row is in the presence set, so `value` points to a live `C`; `&mut self`
        // excludes every other reference into the storage.
        Some(unsafe { &mut *value })
    }

    /// Gives the row a `C`; returns the one that it had.
    #[inline]
    pub(crate) fn insert<D: HasComponent<C>, C: Component>(
        &mut self,
        row: usize,
        value: C,
    ) -> Option<C> {
        assert_names::<D, C>();
        let column = &mut self.columns[<D as HasComponent<C>>::INDEX];
        let start = self.buffers[column.buffer].row_or_allocate(row);
        let place: *mut C = start.wrapping_add(column.layout.offset).cast();
        if column.presence.insert(row) {
            // SAFETY: `assert_names` has asserted that the column holds values of type `C`;
            // `place` is in the row's own memory at the offset that the layout keeps for `C`, so
            // it is aligned and large enough. The row was not in the presence set, so no live
            // value lies there; the set says that one does from here on, and nothing can panic in
            // between.
            unsafe { place.write(value) };
            return None;
        }
        // SAFETY: as above, but the row was in the presence set, so a live `C` lies there, and
        // `&mut self` excludes every other reference to it.
        Some(unsafe { place.replace(value) })
    }

    /// Takes the `C` out of the row.
    #[inline]
    pub(crate) fn remove<D: HasComponent<C>, C: Component>(&mut self, row: usize) -> Option<C> {
        let value = self.value::<D, C>(row)?;
        self.columns[<D as HasComponent<C>>::INDEX].presence.remove(row);
        // SAFETY: `value` pointed to a live `C`; now that the row is out of the presence set
        // nobody will read or drop it again, so it may move out.
        Some(unsafe { value.read() })
    }

    /// The presence of the component at `index`.
    #[inline]
    pub(crate) fn presence_at(&self, index: usize) -> &Presence {
        &self.columns[index].presence
    }

    /// Drops the components of the rows in `blocks`, of which `masks` has a mask by block: column
    /// by column, side by side as `workers` allow. Panics of destructors go into `panics`, and keep
    /// no other value from being dropped.
    pub(crate) fn drop_components(
        &mut self,
        workers: &Workers,
        blocks: &[u32],
        masks: &[u64],
        panics: &PanicSlot,
    ) {
        let buffers = &self.buffers;
        fork_each(workers, &mut self.columns, &|index, column| {
            for &block in blocks {
                let mask = masks[block as usize];
                column.drop_rows(buffers, block as usize, mask, index, panics);
            }
        });
    }

    /// Closes gaps between the rows in use; see [`Entities::refill`]. `moves` is scratch space.
    ///
    /// O(moves × components), and nothing if there are no gaps to close.
    pub(crate) fn refill(&mut self, moves: &mut Vec<(usize, usize)>) {
        self.entities.refill(|from, to| moves.push((from, to)));
        if moves.is_empty() {
            return;
        }
        for column in &mut self.columns {
            for &(from, to) in &*moves {
                column.move_value(&mut self.buffers, from, to);
            }
        }
        moves.clear();
    }

    /// In how many pages presence has changed, counted by component.
    pub(crate) fn dirty_pages(&self) -> usize {
        let presences = self.columns.iter().map(|column| &column.presence);
        presences.chain([self.entities.alive()]).map(|presence| presence.dirty_pages().len()).sum()
    }

    /// Forgets which blocks have changed.
    pub(crate) fn clean(&mut self) {
        self.entities.alive_mut().clean();
        for column in &mut self.columns {
            column.presence.clean();
        }
    }
}

/// Asserts that the table of `D` has `C` at the index that `D` gives for it. The columns are made
/// from this very table; asking it rather than them lets the test fold away.
#[inline(always)]
fn assert_names<D: HasComponent<C>, C: 'static>() {
    assert!(
        D::COMPONENTS[<D as HasComponent<C>>::INDEX].info().is::<C>(),
        "the declaration gives a component another's index"
    );
}

impl Drop for Storage {
    fn drop(&mut self) {
        let panics = PanicSlot::new();
        for (index, column) in self.columns.iter_mut().enumerate() {
            column.drop_all(&self.buffers, index, &panics);
        }
        match panics.take() {
            // The first panic of a destructor goes on, unless the thread unwinds from another one.
            Some(failure) if !std::thread::panicking() => failure.resume(),
            _ => {}
        }
    }
}

impl Column {
    /// Where the value of `row` lies; the row must have one.
    #[inline]
    fn at(&self, buffers: &[Buffer], row: usize) -> *mut u8 {
        let page = buffers[self.buffer].page(row / PAGE_ROWS).expect("a value without a page");
        page.wrapping_add(row % PAGE_ROWS * self.layout.stride + self.layout.offset)
    }

    /// Moves the value of `from`, if it has one, to `to`, which has none.
    fn move_value(&mut self, buffers: &mut [Buffer], from: usize, to: usize) {
        if !self.presence.contains(from) {
            return;
        }
        assert!(self.presence.insert(to), "a value moves to where another one lies");
        let source = self.at(buffers, from);
        let target = buffers[self.buffer].row_or_allocate(to).wrapping_add(self.layout.offset);
        // SAFETY: a live value of the column's type, of this size, lies at `source`, in its own
        // part of its row; the same part of another row is at `target`, where no live value was.
        // From here on the value counts as living there, and not at `source` any more.
        unsafe { core::ptr::copy_nonoverlapping(source, target, self.info.size()) };
        self.presence.remove(from);
    }

    /// Drops the values of the rows in `mask` of a block. Panics of destructors go into `panics` as
    /// those of node `index`, and keep no other value from being dropped.
    fn drop_rows(
        &mut self,
        buffers: &[Buffer],
        block: usize,
        mask: u64,
        index: usize,
        panics: &PanicSlot,
    ) {
        // First out of the presence set: should a destructor panic, nothing is dropped twice.
        let mut taken = self.presence.clear(block, mask);
        if !self.info.needs_drop() {
            return;
        }
        // Once, and once more after each panic.
        while taken != 0 {
            panics.catch(index, None, || {
                while taken != 0 {
                    let row = block * BLOCK_ROWS + taken.trailing_zeros() as usize;
                    taken &= taken - 1;
                    let value = self.at(buffers, row);
                    // SAFETY: the row was in the presence set, so a live value of the column's type
                    // lies there; it has left the set and `taken`, so nobody uses it again;
                    // `&mut self` excludes others.
                    unsafe { self.info.drop_in_place(value) };
                }
            });
        }
    }

    fn drop_all(&mut self, buffers: &[Buffer], index: usize, panics: &PanicSlot) {
        if !self.info.needs_drop() {
            return;
        }
        for block in 0..self.presence.page_count() * BLOCKS_PER_PAGE {
            self.drop_rows(buffers, block, u64::MAX, index, panics);
        }
    }
}
