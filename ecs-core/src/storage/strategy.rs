//! *Storage strategies*: how the values of a component are kept apart from contiguous buffers
//! (thesis, 9.1).

use super::{PAGE_ROWS, Value};
use crate::component::Component;

/// Keeps the values of one component `C`, by row: a hash map, a packed set, a ring, whatever suits
/// who has the component and how it is used (thesis, 9.1; named in a declaration as
/// `component C: storage(Type);`).
///
/// A strategy is a container of [`Value`]s, which it never looks into: the library makes them, and
/// reads and writes what is in them. So no `unsafe` is needed, and a faulty strategy can at worst
/// make the library panic: each value knows whose it is, and is asked at every access.
///
/// Who has a `C` is known to the library. It calls [`insert`](Self::insert) for rows without one, and
/// the others for rows with one. Rows are not identities: entities move between rows at a refresh,
/// by a `remove` and an `insert`.
///
/// ```
/// use ecs_core::storage::{Metadata, StorageStrategy, Value};
/// use ecs_core::{Data, System, World, world};
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
///     system Polish { write: [Crown] }
/// }
///
/// #[derive(Default)]
/// struct Polish;
///
/// impl System<Realm> for Polish {
///     fn process(&self, data: &mut Data<'_, Realm, Self>) {
///         data.for_entities(|e| e.crown.0 += 1);
///     }
/// }
///
/// let mut world = World::<Realm>::new();
/// let king = world.step(|step| step.spawn((Crown(1),)).unwrap()).unwrap();
/// world.step(|step| step.execute_systems().run()).unwrap();
/// assert_eq!(world.get::<Crown>(king).unwrap().0, 2);
/// ```
#[diagnostic::on_unimplemented(
    message = "[E0081] `{Self}` is no storage strategy for `{C}`",
    label = "must implement `StorageStrategy<{C}>`",
    note = "name `contiguous_buffer`, `hash_map`, `sparse_set`, `empty`, or `storage(T)` with a `T` that implements `StorageStrategy<{C}>`"
)]
pub trait StorageStrategy<C: Component>: Send + Sync + 'static {
    /// What the strategy wants to be kept for each entity that has a `C`: the *storage-specific entity
    /// metadata* of the thesis (9.1.1), such as an index. `()` if nothing.
    type Metadata: Copy + Default + Send + Sync + 'static;

    /// Without values, in a world with a dynamic limit, which has room for `initial` entities at first.
    /// Most of them may lack the component.
    fn new(initial: usize) -> Self
    where
        Self: Sized;

    /// Without values, in a world of at most `limit` entities: rows are then from 0 to `limit - 1`. Unless
    /// a strategy has other memory for that, like a table that never grows, it need not say so.
    ///
    /// Which of the two is called follows from the world's settings when the program is built (*static
    /// dispatch*: thesis, 9.1.1 and 14.3).
    #[inline]
    fn fixed(limit: usize) -> Self
    where
        Self: Sized,
    {
        Self::new(limit)
    }

    /// Takes the value of `row`, which had none.
    fn insert(&mut self, row: usize, value: Value<C>, metadata: &mut Metadata<Self::Metadata>);

    /// The value of `row`. Called by many threads at once; should take O(1).
    fn get(&self, row: usize, metadata: &Metadata<Self::Metadata>) -> Option<&Value<C>>;

    /// Gives the value of `row` away.
    fn remove(&mut self, row: usize, metadata: &mut Metadata<Self::Metadata>) -> Option<Value<C>>;
}

/// What a strategy keeps for each row, in pages: rows for which nothing was set take no memory, but
/// for a pointer per 4 096.
#[derive(Debug)]
pub struct Metadata<M> {
    pages: Vec<Option<Box<[M]>>>,
}

impl<M: Copy + Default> Metadata<M> {
    pub(super) const fn new() -> Self {
        Self { pages: Vec::new() }
    }

    /// What was last set for the row, or the default. O(1).
    #[inline]
    #[must_use]
    pub fn get(&self, row: usize) -> M {
        match self.pages.get(row / PAGE_ROWS) {
            Some(Some(page)) => page[row % PAGE_ROWS],
            _ => M::default(),
        }
    }

    /// Sets what is kept for the row. O(1), but for the first time in a page.
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
