//! Reading a component of any entity.

use core::marker::PhantomData;

use crate::component::Component;
use crate::entity::Locate;
use crate::signature::HasComponent;
use crate::storage::Storage;

/// The component `C` of every entity, to read (`read_any: [C]`).
///
/// Nobody writes `C` while the system runs.
#[derive(Debug)]
pub struct Any<'w, D, C> {
    storage: &'w Storage,
    types: PhantomData<fn() -> (D, C)>,
}

impl<D, C> Clone for Any<'_, D, C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D, C> Copy for Any<'_, D, C> {}

impl<'w, D: HasComponent<C>, C: Component> Any<'w, D, C> {
    pub(crate) fn new(storage: &'w Storage) -> Self {
        Self { storage, types: PhantomData }
    }

    /// The entity's `C`; `None` if the entity is dead or has none. O(1).
    #[inline]
    #[must_use]
    pub fn get(&self, entity: impl Locate) -> Option<&'w C> {
        self.storage.get::<D, C>(entity.row(self.storage)?)
    }
}
