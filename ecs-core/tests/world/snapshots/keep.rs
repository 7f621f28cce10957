//! A user-defined storage strategy: a list of values in the order of insertion.

use ecs_core::Component;
use ecs_core::storage::{Metadata, StorageStrategy, Value};

#[derive(Debug)]
pub(crate) struct List<C>(Vec<Value<C>>);

impl<C: Component> StorageStrategy<C> for List<C> {
    type Metadata = ();

    fn new(_: usize) -> Self {
        Self(Vec::new())
    }

    fn insert(&mut self, _: usize, value: Value<C>, _: &mut Metadata<()>) {
        self.0.push(value);
    }

    fn get(&self, row: usize, _: &Metadata<()>) -> Option<&Value<C>> {
        self.0.iter().find(|value| value.row() == row)
    }

    fn remove(&mut self, row: usize, _: &mut Metadata<()>) -> Option<Value<C>> {
        let index = self.0.iter().position(|value| value.row() == row)?;
        Some(self.0.remove(index))
    }
}
