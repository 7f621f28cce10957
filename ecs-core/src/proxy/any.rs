//! Reading a component of any entity.

use core::any::type_name;
use core::fmt;

use crate::component::Component;
use crate::entity::{Handles, Locate};
use crate::signature::HasComponent;
use crate::storage::{Places, Storage};

/// The component `C` of every entity, to read (`read_any: [C]`).
///
/// Nobody writes `C` while the system runs.
pub struct Any<'w, D: HasComponent<C>, C> {
    handles: Handles<'w>,
    places: Places<'w, D, C>,
}

impl<D: HasComponent<C>, C> Clone for Any<'_, D, C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D: HasComponent<C>, C> Copy for Any<'_, D, C> {}

impl<D: HasComponent<C>, C> fmt::Debug for Any<'_, D, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Any").field("component", &type_name::<C>()).finish_non_exhaustive()
    }
}

impl<'w, D: HasComponent<C>, C: Component> Any<'w, D, C> {
    pub(crate) fn new(storage: &'w Storage) -> Self {
        Self { handles: storage.entities.handles(), places: storage.places() }
    }

    /// The entity's `C`; `None` if the entity is dead or has none. O(1).
    #[inline]
    #[must_use]
    pub fn get(&self, entity: impl Locate) -> Option<&'w C> {
        let value = self.places.value(entity.row_to_ask(self.handles)?)?;
        // SAFETY: `value` points to a live `C` of the storage that `new` has borrowed for `'w`, through which
        // nothing is written but by subtasks; and nobody writes `C` while this system runs.
        Some(unsafe { &*value })
    }
}
