//! The storage strategy `sparse_set`: values packed, with an index per row.

use super::{Metadata, StorageStrategy, Value};
use crate::component::Component;

/// Values one after the other without gaps, found through an index that is kept for each row: for
/// components that few entities have, or that come and go.
///
/// `component C: sparse_set;` in a declaration. An access costs two dependent loads. Memory is taken
/// for the values that there are, and four bytes per row in pages of rows in which there are any.
#[derive(Debug)]
pub struct SparseSetStorage<C> {
    values: Vec<Value<C>>,
}

impl<C: Component> StorageStrategy<C> for SparseSetStorage<C> {
    /// Where in `values` the row's one is.
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
