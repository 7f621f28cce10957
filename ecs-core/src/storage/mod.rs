//! *Main storage*: entity metadata and component data (thesis, chapter 9).
//!
//! The declaration says how the values of a component are stored. Neither the bodies of systems nor
//! their results depend on it.
//!
//! | `component C: …` | values lie | for |
//! | --- | --- | --- |
//! | `contiguous_buffer` | side by side, by row; components may share a buffer | common or often iterated components |
//! | `sparse_set` | packed, with an index per row ([`SparseSetStorage`]) | rare or often added and removed ones |
//! | `hash_map` | in a hash map ([`HashMapStorage`]) | very rare components |
//! | `empty` | nowhere: `C` has no fields | tags |
//! | `storage(T)` | in a [`StorageStrategy`] of your own | special requirements |
//!
//! Strategies of several components can share an object of their world
//! ([`StorageStrategy::in_world`]).
//!
//! Presence is stored apart from the values, one bit per row, whatever the strategy. Filters and
//! subscriptions read only these bits.
//!
//! Everything is addressed by *row*. Presence comes in pages of [`PAGE_ROWS`], pages in blocks of
//! [`BLOCK_ROWS`]. In a contiguous buffer a component lies at an offset and a stride that follow
//! from the declaration. A reference to a whole row of an interleaved buffer is never formed, so
//! two systems may use different components of one buffer at once.

use core::marker::PhantomData;

mod chunk;
mod column;
mod lent;
mod many;
mod memory;
mod per_component;
mod phase_cell;
mod put;
mod refill;
mod removals;
pub(crate) mod signature;
mod snapshot;
mod spawn;
pub(crate) mod stored;
mod strategy;
mod surplus;
mod table;
mod tracking;

pub(crate) use chunk::{CHUNK_ROWS, Chunk, span};
use column::{Column, Values};
use memory::{Buffer, Layout, Layouts, place_of};
pub(crate) use memory::{first_too_large, layout_of};
use per_component::PerComponent;
pub(crate) use phase_cell::PhaseCell;
pub(crate) use put::{Accumulation, Insertion, Put, Replacement};
pub use removals::Removed;
pub(crate) use signature::ComponentSignature;
#[cfg(feature = "ron")]
pub(crate) use snapshot::REMOVED;
pub(crate) use snapshot::{CopyComponent, CopyPage};
#[cfg(feature = "serde")]
pub(crate) use snapshot::{LENGTHS, PAGE, Unfilled};
pub(crate) use spawn::{AnyChildren, FamilyLink, Members};
use spawn::{Families, Gathered};
pub use spawn::{NewRow, SpawnWriter};
pub(crate) use stored::{ContiguousBuffer, Rows, Stages, Stored};
pub(crate) use strategy::MakeExternal;
pub use strategy::{
    HashMapStorage, Metadata, SparseSetStorage, StorageStrategy, StrategyContext, Value,
};
pub(crate) use surplus::Surplus;
pub(crate) use table::{ColumnTable, HasColumn, ValueTable};

pub(crate) use crate::rows::LaneCount;
pub use crate::rows::{BLOCK_ROWS, PAGE_ROWS};
use crate::rows::{
    BLOCKS_PER_PAGE, Lanes, PageHashes, Presence, Touched, Versioned, Versions, end_of,
};
use chunk::Scratch;

use crate::entity::{AllocatedRows, Entities, Entity, EntityLimit};
use crate::parallel::{PanicSlot, Workers, drop_all};
use crate::types::IndexSet;

/// Those of a world, by their number.
type Buffers = PerComponent<PhaseCell<Buffer>>;

/// Those of a world, by the index of the component.
type Columns = PerComponent<PhaseCell<Column>>;

/// The entities and components of a world. It is made for one declaration and has a column for each
/// component and room for as many buffers.
#[doc(hidden)]
#[derive(Debug)]
pub struct Storage {
    pub(crate) entities: Versioned<Entities>,
    /// Those of the pages of entities.
    entity_hashes: PageHashes,
    /// Those of columns that are [lent](Self::lend_columns) are not here meanwhile.
    buffers: Buffers,
    /// Touched if presence may have changed since the last [`clean`](Self::clean), except where a column was lent.
    columns: Touched<Columns>,
    /// The components that are tracked.
    tracked: Vec<usize>,
    /// The components whose removed values are kept.
    with_removals: Vec<usize>,
    /// Buffers for changes by chunk, reused.
    pub(crate) scratch: Scratch,
    /// Entities that are spawned one by one.
    gathered: Gathered,
    /// Children that are being spawned with their parents.
    pub(crate) families: Families,
    /// The number of rows of the storage that has lent columns to this one.
    rows_lent: usize,
}

impl Storage {
    /// Creates a storage without entities. The limit `L` determines at build time how each part is
    /// created; nothing afterwards asks for it (thesis, 14.3).
    pub(crate) fn new<L: EntityLimit>(components: &'static [ComponentSignature]) -> Self {
        let layouts = Layouts::of(components);
        let mut rows = vec![None; components.len()];
        let mut columns = Vec::with_capacity(components.len());
        let mut context = StrategyContext::default();
        for (index, signature) in components.iter().enumerate() {
            let layout = signature.buffer().map(|buffer| *rows[buffer].insert(layouts.get(index)));
            columns.push(PhaseCell::new(Column::new::<L>(signature, layout, &mut context)));
        }
        let buffer = |(number, row): (usize, Option<Layout>)| match row {
            Some(layout) => Buffer::new::<L>(number, layout.stride, layout.align),
            None => Buffer::none(),
        };
        let buffers = rows.into_iter().enumerate().map(buffer).map(PhaseCell::new);
        let buffers = Buffers::of(buffers, || PhaseCell::new(Buffer::none()));
        let columns = Columns::of(columns, || PhaseCell::new(Column::elsewhere()));
        let (entities, columns) = (Versioned::new(Entities::new::<L>()), Touched::new(columns));
        let (scratch, gathered) = (Scratch::default(), Gathered::new());
        Self {
            entities,
            entity_hashes: PageHashes::default(),
            buffers,
            columns,
            tracked: Vec::new(),
            with_removals: Vec::new(),
            scratch,
            gathered,
            families: Families::default(),
            rows_lent: 0,
        }
    }

    /// The number of rows in the table of entities, which may be that of another storage.
    #[inline]
    pub(crate) fn row_count(&self) -> usize {
        self.entities.rows().len().max(self.rows_lent)
    }

    /// The column of `C`.
    ///
    /// # Panics
    /// If the declaration gives `C` the index of another type.
    #[inline]
    fn column<D: HasColumn<C>, C: 'static>(&self) -> &Column {
        assert_names::<D, C>();
        // SAFETY: the storage was made for `D`, with a column for each component. `INDEX` is below
        // their number, as `assert_names` has indexed the table of components with it.
        unsafe { self.columns.get_unchecked(<D as HasColumn<C>>::INDEX) }
    }

    #[inline]
    fn column_mut<D: HasColumn<C>, C: 'static>(&mut self) -> &mut Column {
        assert_names::<D, C>();
        // SAFETY: as in `column`.
        unsafe { self.columns.get_unchecked_mut(<D as HasColumn<C>>::INDEX) }
    }

    /// Where the values of `C` lie.
    ///
    /// # Panics
    /// If the values are in external storage.
    #[inline]
    pub(crate) fn values<D: HasColumn<C>, C: 'static>(&self) -> Rows<'_> {
        assert_names::<D, C>();
        let Some(buffer) = (const { buffer_of::<D, C>() }) else { Column::of_another_kind() };
        // SAFETY: the storage was made for `D`, with as many buffers as there are components.
        let buffer = unsafe { self.buffers.get_unchecked(buffer) };
        let (offset, stride) = const { place_of::<D>(<D as HasColumn<C>>::INDEX) };
        let first = buffer.start().wrapping_add(offset);
        Rows { first, count: buffer.rows(), stride, storage: PhantomData }
    }

    /// The tables that a look-up of a `C` needs.
    #[inline]
    pub(crate) fn places<D: HasColumn<C>, C: 'static>(&self) -> ValueTable<'_, D, C> {
        let presence = &self.column::<D, C>().presence;
        let presence = presence.members(self.entities.alive());
        ValueTable { presence, values: D::Strategy::table::<D>(self) }
    }

    /// Makes room for values of these components, if they are known, in the first `rows` rows, `more` of which will get
    /// values at once. O(components).
    pub(crate) fn reserve_values(
        &mut self,
        components: Option<&IndexSet>,
        rows: usize,
        more: usize,
    ) {
        let mut components = components.copied().unwrap_or(IndexSet::EMPTY);
        while let Some(index) = components.pop() {
            if let Values::Buffered { buffer, .. } = self.columns[index].values {
                self.buffers[buffer].reserve(rows, || self.columns[index].presence.count() + more);
            }
        }
    }

    /// The column of `C`, and the address for the value of `row` in its buffer. The memory grows if
    /// needed.
    #[inline]
    fn place_of<D: HasColumn<C>, C: 'static>(&mut self, row: usize) -> (&mut Column, *mut C) {
        assert_names::<D, C>();
        let index = <D as HasColumn<C>>::INDEX;
        let Some(buffer) = (const { buffer_of::<D, C>() }) else { Column::of_another_kind() };
        let (offset, stride) = const { place_of::<D>(<D as HasColumn<C>>::INDEX) };
        // SAFETY: the storage was made for `D`, with as many buffers as there are components.
        if row >= unsafe { self.buffers.get_unchecked(buffer) }.rows() {
            self.grow(buffer, index, row + 1);
        }
        // SAFETY: as above.
        let buffer = unsafe { self.buffers.get_unchecked_mut(buffer) };
        let start = buffer.start().wrapping_add(row * stride + offset);
        // SAFETY: as in `column`.
        (unsafe { self.columns.get_unchecked_mut(index) }, start.cast())
    }

    /// Makes room for a value of the component at `index` in row `rows - 1`.
    #[cold]
    fn grow(&mut self, buffer: usize, index: usize, rows: usize) {
        self.buffers[buffer].reserve(rows, || self.columns[index].presence.count());
    }

    /// The presence of `C`, and the address for the value of `row` in its buffer; `None` if there is no memory for the row.
    #[inline(always)]
    fn ready_place_of<D: HasColumn<C>, C: 'static>(
        &mut self,
        row: usize,
    ) -> Option<(&mut Presence, *mut C)> {
        let values = self.values::<D, C>();
        if row >= values.count {
            return None;
        }
        let start = values.first.wrapping_add(row * values.stride).cast();
        Some((&mut self.column_mut::<D, C>().presence, start))
    }

    /// The address of the value of `C` in `row`, if the row has one.
    #[inline]
    pub(crate) fn value<D: HasColumn<C>, C: 'static>(&self, row: usize) -> Option<*mut C> {
        self.places::<D, C>().value(row)
    }

    /// The `C` of an entity.
    #[inline]
    pub(crate) fn get_of<D: HasColumn<C>, C: 'static>(&self, entity: Entity) -> Option<&C> {
        let value = self.places::<D, C>().find(entity, self.entities.handles())?;
        // SAFETY: as in `get`.
        Some(unsafe { &*value })
    }

    /// The `C` of an entity, mutable. It counts as changed.
    #[inline]
    pub(crate) fn get_mut_of<D: HasColumn<C>, C: 'static>(
        &mut self,
        entity: Entity,
    ) -> Option<&mut C> {
        // The row first: in a loop, the table is loaded anew for each entity, as the world was written, and then only for those
        // that are alive.
        let row = self.entities.handles().row(entity)?;
        let value = self.places::<D, C>().value_of_used(row)?;
        self.note_changed::<D, C>(row);
        // SAFETY: as in `get_mut`.
        Some(unsafe { &mut *value })
    }

    /// The value of `C` in `row`.
    #[inline]
    pub(crate) fn get<D: HasColumn<C>, C: 'static>(&self, row: usize) -> Option<&C> {
        let value = self.value::<D, C>(row)?;
        // SAFETY: the row is in the presence set, so `value` points to a live `C`. Only subtasks
        // write components through `&Storage`, and while they run only they hold it.
        Some(unsafe { &*value })
    }

    /// The value of `C` in `row`, mutable. It counts as changed.
    #[inline]
    pub(crate) fn get_mut<D: HasColumn<C>, C: 'static>(&mut self, row: usize) -> Option<&mut C> {
        let value = self.value::<D, C>(row)?;
        self.note_changed::<D, C>(row);
        // SAFETY: the row is in the presence set, so `value` points to a live `C`; `&mut self`
        // excludes every other reference into the storage.
        Some(unsafe { &mut *value })
    }

    /// Inserts a `C` into the row and returns the old one.
    #[inline]
    pub(crate) fn insert<D: HasColumn<C>, C: 'static>(
        &mut self,
        row: usize,
        value: C,
    ) -> Option<C> {
        let old = D::Strategy::insert::<D>(self, row, value);
        self.note_inserted::<D, C>(row, old.is_none());
        old
    }

    /// Replaces the `C` of the row, if it has one. Returns the value that is left over: the old
    /// one, or `value` if the row has none.
    #[inline]
    pub(crate) fn update<D: HasColumn<C>, C: 'static>(&mut self, row: usize, value: C) -> C {
        match self.get_mut::<D, C>(row) {
            Some(place) => core::mem::replace(place, value),
            None => value,
        }
    }

    /// Removes the `C` of the row, and returns it also if its removed values are kept.
    #[inline]
    pub(crate) fn remove<D: HasColumn<C>, C: 'static>(&mut self, row: usize) -> Option<C> {
        D::Strategy::remove::<D>(self, row)
    }

    /// Despawns the entity of the row immediately and drops its components; see
    /// [`Entities::withhold`]. Panics of destructors go into `panics`; all other values are still
    /// dropped. O(components declared).
    pub(crate) fn despawn(&mut self, row: usize, panics: &PanicSlot) {
        self.entities.withhold(row);
        for (index, column) in self.columns.iter_mut().enumerate() {
            if column.presence.contains(row) {
                let mask = 1 << (row % BLOCK_ROWS);
                let entities = self.entities.rows();
                column.despawn_rows(&self.buffers, row / BLOCK_ROWS, mask, index, entities, panics);
            }
        }
    }

    /// Drops all components of the entities in these rows. Panics of destructors go into `panics`.
    pub(crate) fn drop_components(&mut self, allocated: &[AllocatedRows], panics: &PanicSlot) {
        let Self { columns, buffers, .. } = self;
        for (index, column) in columns.iter_mut().enumerate() {
            for &AllocatedRows { block, rows, .. } in allocated {
                column.drop_rows(buffers, block as usize, rows, index, panics);
            }
        }
    }

    /// The presence of the component at `index`.
    #[inline]
    pub(crate) fn presence_at(&self, index: usize) -> &Presence {
        &self.columns[index].presence
    }

    /// Drops the components in external storage of the rows in `blocks`, where `masks` has a mask
    /// for each block of the world. Columns are processed in parallel, as `workers` allow. Panics
    /// of destructors go into `panics`; all other values are still dropped.
    pub(crate) fn drop_external(
        &mut self,
        workers: &Workers,
        blocks: &[u32],
        masks: &[u64],
        panics: &PanicSlot,
    ) {
        let (buffers, entities) = (&self.buffers, self.entities.rows());
        self.columns.fork_each(workers, &|index, column| {
            let kept = matches!(column.values, Values::External(_));
            for &block in blocks.iter().filter(|_| kept) {
                let mask = masks[block as usize];
                column.despawn_rows(buffers, block as usize, mask, index, entities, panics);
            }
        });
    }

    /// The number of pages in which presence has changed, summed over the components.
    /// O(components), and O(1) if nothing was touched.
    #[inline]
    pub(crate) fn dirty_pages(&self) -> usize {
        let of_columns = if self.columns.is_touched() { self.dirty_pages_of_columns() } else { 0 };
        of_columns + self.entities.alive().dirty_pages().len()
    }

    fn dirty_pages_of_columns(&self) -> usize {
        let count = self.columns.iter().map(|column| column.presence.dirty_pages().len()).sum();
        if count == 0 {
            self.columns.forget();
        }
        count
    }

    /// Forgets which blocks have changed.
    pub(crate) fn clean(&mut self) {
        if !self.entities.alive().dirty_pages().is_empty() {
            self.entities.alive_mut().clean();
            self.entity_hashes.reserve(self.entities.page_count());
        }
        for column in self.columns.iter_mut() {
            column.clean();
        }
        self.columns.forget();
    }
}

/// The component at the index that `D` gives for `C`.
///
/// It is for constants. Code that runs and names the table would change with every component.
const fn component_signature<D: HasColumn<C>, C: 'static>() -> &'static ComponentSignature {
    let index = <D as HasColumn<C>>::INDEX;
    assert!(index < D::COMPONENTS.len(), "[ECS0070] a component's index is out of range");
    &D::COMPONENTS[index]
}

/// The number of the buffer of `C`, below the number of components; `None` if the values are in external storage.
const fn buffer_of<D: HasColumn<C>, C: 'static>() -> Option<usize> {
    match component_signature::<D, C>().buffer() {
        Some(buffer) if buffer < D::COMPONENTS.len() => Some(buffer),
        _ => None,
    }
}

/// Asserts that the table of `D` has `C` at the index that `D` gives for it. The columns are made
/// from this table. Reading the table instead of the columns lets the compiler evaluate the test.
#[inline(always)]
fn assert_names<D: HasColumn<C>, C: 'static>() {
    assert!(
        const { component_signature::<D, C>().info() }.is::<C>(),
        "the declaration gives a component another's index"
    );
}

impl Drop for Storage {
    fn drop(&mut self) {
        drop_all(|panics| {
            for (index, column) in self.columns.iter_mut().enumerate() {
                let mut column = core::mem::replace(&mut **column, Column::elsewhere());
                if column.info.needs_drop() {
                    column.drop_from(&self.buffers, 0, index, panics);
                }
                // The strategy has no values any more, but it is a user's type and may have a
                // destructor.
                panics.catch(index, None, || drop(column));
            }
        });
    }
}
