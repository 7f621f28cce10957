//! *Storage strategies*: storage for the values of a component outside contiguous buffers (thesis,
//! 9.1).

mod context;
mod external;
mod hash_map;
mod sparse_set;

use super::PAGE_ROWS;
pub use context::StrategyContext;
pub(crate) use external::MakeExternal;
pub use external::Value;
pub(super) use external::{ExternalColumn, ExternalValues};
pub use hash_map::HashMapStorage;
pub use sparse_set::SparseSetStorage;

use crate::types::Component;

/// Stores the values of one component `C` by row: a hash map, a packed set, a ring, or whatever
/// suits the component (thesis, 9.1; named in a declaration as `component C: storage(Type);`).
///
/// A strategy is a container of [`Value`]s and never accesses their contents: the library creates
/// them, and reads and writes the components in them. So no `unsafe` is needed, and a faulty
/// strategy can at worst make the library panic: each value records the row that it belongs to, and
/// every access checks that record.
///
/// The library records which rows have a `C`. It calls [`insert`](Self::insert) for rows without
/// one, and the other methods for rows with one. Rows are not identities: entities move between
/// rows at a refresh, by a `remove` and an `insert`.
///
/// ```
/// use ecs_core::storage::{Metadata, StorageStrategy, Value};
/// use ecs_core::{World, world};
///
/// /// One value after the other, in order of insertion; for what hardly anybody has.
/// #[derive(Debug)]
/// struct List<C>(Vec<(usize, Value<C>)>);
///
/// impl<C: ecs_core::Component> StorageStrategy<C> for List<C> {
///     type Metadata = ();
///
///     fn new(_: usize) -> Self {
///         Self(Vec::new())
///     }
///
///     fn insert(&mut self, row: usize, value: Value<C>, _: &mut Metadata<()>) {
///         self.0.push((row, value));
///     }
///
///     fn get(&self, row: usize, _: &Metadata<()>) -> Option<&Value<C>> {
///         self.0.iter().find(|(owner, _)| *owner == row).map(|(_, value)| value)
///     }
///
///     fn remove(&mut self, row: usize, _: &mut Metadata<()>) -> Option<Value<C>> {
///         let index = self.0.iter().position(|(owner, _)| *owner == row)?;
///         Some(self.0.remove(index).1)
///     }
/// }
///
/// struct Crown(u32);
///
/// world! {
///     world Realm;
///     component Crown: storage(List<Crown>);
///     system Polish { each: |crown: &mut Crown| crown.0 += 1 }
/// }
///
/// let mut world = World::<Realm>::new();
/// let king = world.spawn((Crown(1),));
/// world.tick().unwrap();
/// assert_eq!(world.get::<Crown>(king).unwrap().0, 2);
/// ```
#[diagnostic::on_unimplemented(
    message = "[ECS0081] `{Self}` is no storage strategy for `{C}`",
    label = "must implement `StorageStrategy<{C}>`",
    note = "name `contiguous_buffer`, `hash_map`, `sparse_set`, `empty`, or `storage(T)` with a `T` that implements `StorageStrategy<{C}>`"
)]
pub trait StorageStrategy<C: Component>: Send + Sync + 'static {
    /// Metadata for each entity that has a `C`: the *storage-specific entity metadata* of the
    /// thesis (9.1.1), such as an index. `()` if the strategy needs none.
    type Metadata: Copy + Default + Send + Sync + 'static;

    /// Creates an empty strategy for a world with a dynamic limit and room for `initial` entities.
    /// Most of them may lack the component.
    fn new(initial: usize) -> Self
    where
        Self: Sized;

    /// Creates an empty strategy for a world of at most `limit` entities: rows are below `limit`.
    /// Implement this only if the limit allows a different memory layout, such as a table that never
    /// grows.
    ///
    /// The world's settings determine at build time which of the two functions is called (*static
    /// dispatch*: thesis, 9.1.1 and 14.3).
    #[inline]
    fn fixed(limit: usize) -> Self
    where
        Self: Sized,
    {
        Self::new(limit)
    }

    /// Creates an empty strategy for a world. By default it calls [`fixed`](Self::fixed) or [`new`](Self::new), as the limit of
    /// the world is.
    ///
    /// Implement it for a strategy that shares an object with those of other components
    /// ([`StrategyContext::shared`]). The object keeps what they have in common: which entity has which slot, free slots,
    /// statistics. Each strategy keeps the values of its own component, so that systems can use one component while a refresh
    /// changes the other. What is called from several threads at once is the object's own concern: it is `Sync`. The results of a
    /// world must not depend on the order in which components come to it.
    ///
    /// ```
    /// use std::collections::HashMap;
    /// use std::sync::{Arc, Mutex};
    ///
    /// use ecs_core::storage::{Metadata, StorageStrategy, StrategyContext, Value};
    /// use ecs_core::{Component, World, world};
    ///
    /// /// The slots of entities, and how many components each has. All components of an entity lie in one slot.
    /// #[derive(Default)]
    /// struct Slots {
    ///     of_rows: HashMap<usize, (u32, u32)>,
    ///     free: Vec<u32>,
    /// }
    ///
    /// /// The values of one component.
    /// struct Slotted<C> {
    ///     slots: Arc<Mutex<Slots>>,
    ///     values: Vec<Option<Value<C>>>,
    /// }
    ///
    /// impl<C: Component> StorageStrategy<C> for Slotted<C> {
    ///     type Metadata = u32;
    ///
    ///     fn new(_: usize) -> Self {
    ///         Self { slots: Arc::default(), values: Vec::new() }
    ///     }
    ///
    ///     fn in_world(world: &mut StrategyContext) -> Self {
    ///         Self { slots: world.shared(), values: Vec::new() }
    ///     }
    ///
    ///     fn insert(&mut self, row: usize, value: Value<C>, slot_of: &mut Metadata<u32>) {
    ///         let mut slots = self.slots.lock().unwrap();
    ///         let Slots { of_rows, free } = &mut *slots;
    ///         let next = of_rows.len() as u32;
    ///         let (slot, count) =
    ///             of_rows.entry(row).or_insert_with(|| (free.pop().unwrap_or(next), 0));
    ///         *count += 1;
    ///         slot_of.set(row, *slot);
    ///         let slot = *slot as usize;
    ///         self.values.resize_with(self.values.len().max(slot + 1), || None);
    ///         self.values[slot] = Some(value);
    ///     }
    ///
    ///     // Neither a lock nor a search: the slot of a row does not change while it has a value.
    ///     fn get(&self, row: usize, slot_of: &Metadata<u32>) -> Option<&Value<C>> {
    ///         self.values.get(slot_of.get(row) as usize)?.as_ref()
    ///     }
    ///
    ///     fn remove(&mut self, row: usize, slot_of: &mut Metadata<u32>) -> Option<Value<C>> {
    ///         let mut slots = self.slots.lock().unwrap();
    ///         let (slot, count) = slots.of_rows.get_mut(&row)?;
    ///         let slot = *slot;
    ///         *count -= 1;
    ///         if *count == 0 {
    ///             slots.of_rows.remove(&row);
    ///             slots.free.push(slot);
    ///         }
    ///         self.values.get_mut(slot_of.get(row) as usize)?.take()
    ///     }
    /// }
    ///
    /// struct Cargo(u32);
    /// struct Crew(u32);
    ///
    /// world! {
    ///     world Harbour;
    ///     component Cargo, Crew: storage(Slotted<_>);
    ///     system Load { each: |cargo: &mut Cargo, crew: &Crew| cargo.0 += crew.0 }
    /// }
    ///
    /// let mut world = World::<Harbour>::new();
    /// let ship = world.spawn((Cargo(0), Crew(12)));
    /// world.tick()?;
    /// assert_eq!(world.get::<Cargo>(ship).unwrap().0, 12);
    /// # Ok::<_, ecs_core::StepError>(())
    /// ```
    #[inline]
    fn in_world(world: &mut StrategyContext) -> Self
    where
        Self: Sized,
    {
        match world.limit() {
            Some(limit) => Self::fixed(limit),
            None => Self::new(world.initial()),
        }
    }

    /// Stores the value of `row`, which has none.
    fn insert(&mut self, row: usize, value: Value<C>, metadata: &mut Metadata<Self::Metadata>);

    /// The value of `row`. Called by many threads at once; should take O(1).
    fn get(&self, row: usize, metadata: &Metadata<Self::Metadata>) -> Option<&Value<C>>;

    /// Removes the value of `row` and returns it.
    fn remove(&mut self, row: usize, metadata: &mut Metadata<Self::Metadata>) -> Option<Value<C>>;
}

/// The metadata of a strategy for each row, in pages. A page of 4 096 rows without metadata takes
/// only a pointer.
///
/// ```
/// use ecs_core::storage::Metadata;
///
/// /// What a strategy does that keeps the index of each row's value as metadata.
/// fn index_of(metadata: &Metadata<u32>, row: usize) -> usize {
///     metadata.get(row) as usize
/// }
/// ```
#[derive(Debug)]
pub struct Metadata<M> {
    pages: Vec<Option<Box<[M]>>>,
}

impl<M: Copy + Default> Metadata<M> {
    pub(super) const fn new() -> Self {
        Self { pages: Vec::new() }
    }

    /// The metadata that was last set for the row, or the default. O(1).
    #[inline]
    #[must_use]
    pub fn get(&self, row: usize) -> M {
        match self.pages.get(row / PAGE_ROWS) {
            Some(Some(page)) => page[row % PAGE_ROWS],
            _ => M::default(),
        }
    }

    /// Sets the metadata of the row. O(1), except for the first row in a page.
    #[inline]
    pub fn set(&mut self, row: usize, metadata: M) {
        let page = row / PAGE_ROWS;
        if self.pages.len() <= page {
            self.pages.resize_with(page + 1, || None);
        }
        let page = self.pages[page].get_or_insert_with(|| vec![M::default(); PAGE_ROWS].into());
        page[row % PAGE_ROWS] = metadata;
    }
}
