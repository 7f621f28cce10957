//! One component: its values and its presence.

use super::memory::Layout;
use super::removals::RemovalLog;
use super::strategy::{ExternalColumn, ExternalValues};
use super::{
    BLOCK_ROWS, BLOCKS_PER_PAGE, Buffer, Buffers, Lanes, Presence, StorageStrategy,
    StrategyContext, Versions,
};
use crate::entity::{Entity, EntityLimit, on_limit};
use crate::parallel::PanicSlot;
use crate::rows::rows_of;
use crate::storage::ComponentSignature;
use crate::types::{Component, TypeInfo};

/// The values of one component.
///
/// Invariant: the rows in `presence` are exactly those that hold a live value, provided that the
/// strategy of an external column is correct.
#[derive(Debug)]
pub(super) struct Column {
    pub(super) values: Values,
    pub(super) info: TypeInfo,
    pub(super) presence: Presence,
    /// Which rows have changed. Without lanes if the component is not tracked.
    pub(super) lanes: Lanes,
    /// Those of the pages whose values and presence are those of a copy. Without any if values can change otherwise than by this crate.
    pub(super) versions: Versions,
    /// The removed values, if some system reads them.
    pub(super) removals: Option<Box<RemovalLog>>,
}

/// The location of the values.
#[derive(Debug)]
pub(super) enum Values {
    /// In the buffer with this number.
    Buffered {
        buffer: usize,
        layout: Layout,
    },
    External(ExternalValues),
    /// Elsewhere: the column is lent to another storage, or none is lent to this one.
    Elsewhere,
}

impl Column {
    /// Creates an empty column, under the limit `L`.
    pub(super) fn new<L: EntityLimit>(
        signature: &ComponentSignature,
        layout: Option<Layout>,
        context: &mut StrategyContext,
    ) -> Self {
        let values = match (signature.buffer(), layout, signature.external_column()) {
            (Some(buffer), Some(layout), _) => Values::Buffered { buffer, layout },
            (_, _, Some(make)) => Values::External(make.call::<L>(context)),
            _ => Self::of_another_kind(),
        };
        let presence = on_limit::<L, _>(Presence::fixed, Presence::dynamic);
        let versions = Versions::new(signature.has_versions());
        let (info, lanes) = (*signature.info(), Lanes::default());
        Self { values, info, presence, lanes, versions, removals: None }
    }

    /// A column without values, in the place of one that is elsewhere.
    pub(super) fn elsewhere() -> Self {
        let (info, presence) = (TypeInfo::of::<()>(), Presence::dynamic(0));
        let (lanes, versions) = (Lanes::default(), Versions::default());
        Self { values: Values::Elsewhere, info, presence, lanes, versions, removals: None }
    }

    /// Forgets which blocks have changed.
    #[inline]
    pub(super) fn clean(&mut self) {
        if !self.presence.dirty_pages().is_empty() {
            self.clean_pages();
        }
    }

    fn clean_pages(&mut self) {
        self.versions.reserve(self.presence.page_count());
        for &page in self.presence.dirty_pages() {
            self.versions.forget(page as usize);
        }
        self.presence.clean();
    }

    /// The version of the values of a page, and of which rows have some. They must not be written during the call.
    pub(super) fn version(&self, page: usize) -> Option<u64> {
        if self.presence.dirty_blocks(page) == 0 { self.versions.get(page) } else { None }
    }

    #[cold]
    pub(super) fn of_another_kind() -> ! {
        panic!("the declaration gives a component another's storage strategy")
    }

    /// The values of `C`, stored by `S`.
    ///
    /// # Panics
    /// If the column has other types.
    pub(super) fn external_mut<C: Component, S: StorageStrategy<C>>(
        &mut self,
    ) -> &mut ExternalColumn<C, S> {
        match &mut self.values {
            Values::External(external) => external.get_mut::<C, S>(),
            Values::Buffered { .. } | Values::Elsewhere => Self::of_another_kind(),
        }
    }

    /// The number of the buffer, and the layout of the component in it.
    ///
    /// # Panics
    /// If the values are in external storage.
    #[inline]
    pub(super) fn buffered(&self) -> (usize, Layout) {
        match self.values {
            Values::Buffered { buffer, layout } => (buffer, layout),
            Values::External(_) | Values::Elsewhere => Self::of_another_kind(),
        }
    }

    /// Moves the value of `from`, if it has one, to `to`, which has none.
    pub(super) fn move_value(
        &mut self,
        buffers: &mut Buffers,
        (from, to): (usize, usize),
        index: usize,
        panics: &PanicSlot,
    ) {
        if !self.presence.contains(from) {
            return;
        }
        match &mut self.values {
            Values::Buffered { buffer, layout } => {
                let buffer = &mut *buffers[*buffer];
                // First, as there may be no memory, and as the other value may move.
                let target = buffer.row_or_allocate(to, || self.presence.count());
                let target = target.wrapping_add(layout.offset);
                assert!(self.presence.insert(to), "a value moves to where another one lies");
                let source = at(buffer, *layout, from);
                // SAFETY: a live value of the column's type, of this size, lies at `source`, in its
                // own part of its row. The same part of another row is at `target`, where no live
                // value lies. From here on the value counts as being at `target`, and no longer at
                // `source`.
                unsafe { core::ptr::copy_nonoverlapping(source, target, self.info.size()) };
                self.presence.remove(from);
            }
            Values::External(external) => {
                // The row leaves the presence set first, as the strategy may panic.
                self.presence.remove(from);
                let move_value = || external.column.move_value(from, to);
                let moved = panics.catch(index, None, move_value).is_some();
                // In any case the row becomes dirty, so that systems with members in it are matched
                // anew.
                self.presence.insert(to);
                if !moved {
                    self.presence.remove(to);
                }
            }
            Values::Elsewhere => Self::of_another_kind(),
        }
    }

    /// Drops the values of the rows in `mask` of a block. Panics of destructors go into `panics`,
    /// recorded for node `index`; all other values are still dropped.
    pub(super) fn drop_rows(
        &mut self,
        buffers: &Buffers,
        block: usize,
        mask: u64,
        index: usize,
        panics: &PanicSlot,
    ) {
        // The rows leave the presence set first, so that nothing is dropped twice if a destructor
        // panics.
        let taken = self.presence.clear(block, mask);
        let rows = rows_of(block, taken);
        match &mut self.values {
            Values::External(external) => {
                panics.catch_each(index, None, rows, |row| external.column.drop_value(row));
            }
            Values::Buffered { buffer, layout } if self.info.needs_drop() => {
                let buffer = &buffers[*buffer];
                panics.catch_each(index, None, rows, |row| {
                    let value = at(buffer, *layout, row);
                    // SAFETY: the row was in the presence set, so a live value of the column's type
                    // lies there. It has left the set and occurs once in `rows`, so the value is
                    // not used again; `&mut self` excludes other accesses.
                    unsafe { self.info.drop_in_place(value) };
                });
            }
            Values::Buffered { .. } | Values::Elsewhere => {}
        }
    }

    /// Drops the values of the rows in `mask` of a block, whose entities are despawned, or keeps them for the systems that read
    /// what was removed. `entities` has the entity of each row. Panics as in [`drop_rows`](Self::drop_rows).
    pub(super) fn despawn_rows(
        &mut self,
        buffers: &Buffers,
        block: usize,
        mask: u64,
        index: usize,
        entities: &[Entity],
        panics: &PanicSlot,
    ) {
        let Some(log) = &mut self.removals else {
            return self.drop_rows(buffers, block, mask, index, panics);
        };
        let rows = rows_of(block, self.presence.clear(block, mask));
        match &mut self.values {
            Values::External(external) => panics.catch_each(index, None, rows, |row| {
                // SAFETY: the column hands out its value, of this component, to be moved.
                let take = &mut |value| unsafe { log.removals.take(row, entities[row], value) };
                external.column.move_out(row, take);
            }),
            Values::Buffered { buffer, layout } => {
                let buffer = &buffers[*buffer];
                for row in rows {
                    // SAFETY: the row was in the presence set, so a live value of the column's type lies there. It has left
                    // the set and occurs once in `rows`, so the value is not used again.
                    unsafe { log.removals.take(row, entities[row], at(buffer, *layout, row)) };
                }
            }
            Values::Elsewhere => {}
        }
    }

    /// Drops the values of the rows from `first` on. Panics go into `panics`, recorded for node
    /// `index`.
    pub(super) fn drop_from(
        &mut self,
        buffers: &Buffers,
        first: usize,
        index: usize,
        panics: &PanicSlot,
    ) {
        for block in first / BLOCK_ROWS..self.presence.page_count() * BLOCKS_PER_PAGE {
            let skipped = first.saturating_sub(block * BLOCK_ROWS);
            self.drop_rows(buffers, block, u64::MAX << skipped, index, panics);
        }
    }
}

/// The address of the value of `row`, which must have one.
#[inline]
fn at(buffer: &Buffer, layout: Layout, row: usize) -> *mut u8 {
    debug_assert!(row < buffer.rows(), "a value without memory");
    buffer.start().wrapping_add(row * layout.stride + layout.offset)
}
