//! The storage strategy `hash_map` (thesis, 9.1).

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;

use crate::storage::{Metadata, StorageStrategy, Value};
use crate::types::Component;

/// Values in a hash map from rows. Memory is needed only for existing values.
///
/// `component C: hash_map;` in a declaration. An access costs a look-up.
///
/// ```
/// # use ecs_core::{World, world};
/// # struct Crown(u32);
/// world! {
///     world Realm;
///     component Crown: hash_map;
/// }
/// let mut world = World::<Realm>::new();
/// let king = world.spawn((Crown(7),));
/// assert_eq!(world.get::<Crown>(king).unwrap().0, 7);
/// ```
#[derive(Debug)]
pub struct HashMapStorage<C> {
    values: HashMap<u32, Value<C>, FxBuildHasher>,
}

impl<C: Component> StorageStrategy<C> for HashMapStorage<C> {
    type Metadata = ();

    fn new(_: usize) -> Self {
        Self { values: HashMap::default() }
    }

    fn insert(&mut self, row: usize, value: Value<C>, _: &mut Metadata<()>) {
        self.values.insert(row as u32, value);
    }

    #[inline]
    fn get(&self, row: usize, _: &Metadata<()>) -> Option<&Value<C>> {
        self.values.get(&(row as u32))
    }

    fn remove(&mut self, row: usize, _: &mut Metadata<()>) -> Option<Value<C>> {
        self.values.remove(&(row as u32))
    }
}
