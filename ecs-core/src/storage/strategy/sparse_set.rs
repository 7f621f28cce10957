//! The storage strategy `sparse_set`: values packed, with an index per row.

use crate::storage::{Metadata, StorageStrategy, Value};
use crate::types::Component;

/// Values without gaps, found by an index per row. For components that few entities have, or that
/// are often added and removed.
///
/// `component C: sparse_set;` in a declaration. An access costs two dependent loads. Memory is
/// needed for existing values, and four bytes per row in pages of rows that have had values.
///
/// ```
/// # use ecs_core::{World, world};
/// # struct Crown(u32);
/// world! {
///     world Realm;
///     component Crown: sparse_set;
/// }
/// let mut world = World::<Realm>::new();
/// let king = world.spawn((Crown(7),));
/// assert_eq!(world.get::<Crown>(king).unwrap().0, 7);
/// ```
#[derive(Debug)]
pub struct SparseSetStorage<C> {
    values: Vec<Value<C>>,
}

impl<C: Component> StorageStrategy<C> for SparseSetStorage<C> {
    /// The position of the row's value in `values`.
    type Metadata = u32;

    fn new(_: usize) -> Self {
        Self { values: Vec::new() }
    }

    fn insert(&mut self, row: usize, value: Value<C>, index: &mut Metadata<u32>) {
        index.set(row, self.values.len() as u32);
        self.values.push(value);
    }

    #[inline]
    fn get(&self, row: usize, index: &Metadata<u32>) -> Option<&Value<C>> {
        self.values.get(index.get(row) as usize)
    }

    fn remove(&mut self, row: usize, index: &mut Metadata<u32>) -> Option<Value<C>> {
        let place = index.get(row);
        if place as usize >= self.values.len() {
            return None;
        }
        let value = self.values.swap_remove(place as usize);
        if let Some(moved) = self.values.get(place as usize) {
            index.set(moved.row(), place);
        }
        Some(value)
    }
}
