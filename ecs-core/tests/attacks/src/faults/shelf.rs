//! A storage strategy whose calls may panic, at their beginning and at their end.

use std::collections::BTreeMap;
use std::marker::PhantomData;

use ecs_core::Component;
use ecs_core::storage::{Metadata, StorageStrategy, Value};

use super::{Hook, Role, Tracked, places};

/// The hook by which functions without a receiver find the fault: a type for each program.
pub trait Hooked: 'static {
    /// The program's hook.
    const HOOK: &'static Hook;
}

/// Values by row.
#[derive(Debug)]
pub struct Shelf<C, H> {
    values: BTreeMap<usize, Value<C>>,
    tracked: Tracked,
    hooked: PhantomData<fn() -> H>,
}

impl<C: Component, H: Hooked> Shelf<C, H> {
    fn empty(place: &'static str) -> Self {
        let fault = H::HOOK.fault();
        fault.point(place);
        let tracked = Tracked::new(&fault, &Role::KEEPER, 0);
        fault.point(place);
        Self { values: BTreeMap::new(), tracked, hooked: PhantomData }
    }
}

impl<C: Component, H: Hooked> StorageStrategy<C> for Shelf<C, H> {
    type Metadata = u8;

    fn new(_: usize) -> Self {
        Self::empty(places::STORAGE_NEW)
    }

    fn fixed(_: usize) -> Self {
        Self::empty(places::STORAGE_FIXED)
    }

    fn insert(&mut self, row: usize, value: Value<C>, metadata: &mut Metadata<u8>) {
        self.tracked.fault().point(places::STORAGE_INSERT);
        // If a removal panicked before it removed the value, there is still a value.
        let old = self.values.insert(row, value);
        metadata.set(row, 1);
        self.tracked.fault().point(places::STORAGE_INSERT);
        drop(old);
    }

    fn get(&self, row: usize, metadata: &Metadata<u8>) -> Option<&Value<C>> {
        self.tracked.fault().point(places::STORAGE_GET);
        (metadata.get(row) == 1).then(|| self.values.get(&row)).flatten()
    }

    fn remove(&mut self, row: usize, metadata: &mut Metadata<u8>) -> Option<Value<C>> {
        self.tracked.fault().point(places::STORAGE_REMOVE);
        metadata.set(row, 0);
        let value = self.values.remove(&row);
        self.tracked.fault().point(places::STORAGE_REMOVE);
        value
    }
}
