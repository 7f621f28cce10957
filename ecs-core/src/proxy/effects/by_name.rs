//! Components by name: in a step, and in deferred functions.

use crate::entity::Entity;
use crate::signature::tables::by_name;
use crate::signature::{ByNameError, Declaration};
use crate::state::Defer;

impl<D: Declaration> Defer<'_, D> {
    /// The names of the entity's components: as [`World::names_of`](crate::World::names_of). O(components declared).
    pub fn names_of(&self, entity: Entity) -> impl Iterator<Item = &'static str> {
        by_name::names_of::<D>(&self.core.storage, entity)
    }

    /// The text of a component: as [`World::get_by_name`](crate::World::get_by_name). O(components declared).
    ///
    /// # Errors
    /// As [`World::get_by_name`](crate::World::get_by_name).
    pub fn get_by_name(&self, entity: Entity, name: &str) -> Result<String, ByNameError> {
        by_name::get::<D>(&self.core.storage, entity, name)
    }

    /// Sets a component that the entity has: as [`World::set_by_name`](crate::World::set_by_name). O(components declared).
    ///
    /// # Errors
    /// As [`World::set_by_name`](crate::World::set_by_name).
    pub fn set_by_name(
        &mut self,
        entity: Entity,
        name: &str,
        text: &str,
    ) -> Result<(), ByNameError> {
        by_name::set::<D>(&mut self.core.storage, entity, name, text)
    }

    /// Inserts a component: as [`World::insert_by_name`](crate::World::insert_by_name), without a step of its own.
    /// O(components declared), amortized.
    ///
    /// ```
    /// # use ecs_core::{World, world};
    /// # #[derive(Clone)] struct Health(u32);
    /// # impl std::fmt::Display for Health {
    /// #     fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { self.0.fmt(f) }
    /// # }
    /// # impl std::str::FromStr for Health {
    /// #     type Err = std::num::ParseIntError;
    /// #     fn from_str(text: &str) -> Result<Self, Self::Err> { text.parse().map(Self) }
    /// # }
    /// world! {
    ///     world Wood;
    ///     component Health: by_name;
    /// }
    ///
    /// let mut world = World::<Wood>::new();
    /// world.step(|step| -> Result<(), ecs_core::ByNameError> {
    ///     for line in "Health 3\nHealth 8".lines() {
    ///         let entity = step.spawn(());
    ///         let (name, text) = line.split_once(' ').expect("two words");
    ///         step.insert_by_name(entity, name, text)?;
    ///     }
    ///     Ok(())
    /// }).unwrap()?;
    /// assert!(world.iter::<&Health>().map(|health| health.0).eq([3, 8]));
    /// # Ok::<_, ecs_core::ByNameError>(())
    /// ```
    ///
    /// # Errors
    /// As [`World::insert_by_name`](crate::World::insert_by_name).
    pub fn insert_by_name(
        &mut self,
        entity: Entity,
        name: &str,
        text: &str,
    ) -> Result<(), ByNameError> {
        by_name::insert::<D>(&mut self.core.storage, entity, name, text)
    }

    /// Removes a component: as [`World::remove_by_name`](crate::World::remove_by_name), without a step of its own.
    /// O(components declared).
    ///
    /// # Errors
    /// As [`World::remove_by_name`](crate::World::remove_by_name).
    pub fn remove_by_name(&mut self, entity: Entity, name: &str) -> Result<(), ByNameError> {
        by_name::remove::<D>(&mut self.core.storage, entity, name)
    }
}
