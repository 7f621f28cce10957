//! Components by name, for tools that know them at run time only (thesis, 4.1.1).

use super::World;
use crate::entity::Entity;
use crate::scheduling::settings::Settings;
use crate::signature::tables::by_name;
use crate::signature::{ByNameError, ComponentByName, Declaration};

impl<D: Declaration, S: Settings> World<D, S> {
    /// The names of the entity's components, in the order of the declaration: of all of them, whether they are accessible by
    /// name or not. None if the entity is not alive. O(components declared).
    ///
    /// With [`get_by_name`](Self::get_by_name) and [`set_by_name`](Self::set_by_name) it is the bridge to editors, consoles and
    /// scripts, which know components at run time only. None of them needs to know the declaration:
    ///
    /// ```
    /// use ecs_core::settings::Settings;
    /// use ecs_core::{ByNameError, Declaration, Entity, World, world};
    /// # use std::{fmt, num::ParseIntError, str::FromStr};
    ///
    /// struct Health(u32); // Is `Display` and `FromStr`.
    /// struct Mesh;
    /// # impl fmt::Display for Health {
    /// #     fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { self.0.fmt(f) }
    /// # }
    /// # impl FromStr for Health {
    /// #     type Err = ParseIntError;
    /// #     fn from_str(text: &str) -> Result<Self, ParseIntError> { text.parse().map(Self) }
    /// # }
    ///
    /// world! {
    ///     world Wood;
    ///     component Health: by_name;
    ///     component Mesh: empty;
    /// }
    ///
    /// fn inspect<D: Declaration, S: Settings>(world: &World<D, S>, entity: Entity) -> Vec<String> {
    ///     let line = |name| match world.get_by_name(entity, name) {
    ///         Ok(text) => format!("{name} = {text}"),
    ///         Err(_) => name.to_owned(),
    ///     };
    ///     world.names_of(entity).map(line).collect()
    /// }
    ///
    /// let mut world = World::<Wood>::new();
    /// let orc = world.spawn((Health(10), Mesh));
    /// assert_eq!(inspect(&world, orc), ["Health = 10", "Mesh"]);
    /// world.set_by_name(orc, "Health", "12")?;
    /// assert_eq!(world.get::<Health>(orc).unwrap().0, 12);
    /// # Ok::<_, ByNameError>(())
    /// ```
    pub fn names_of(&self, entity: Entity) -> impl Iterator<Item = &'static str> {
        by_name::names_of::<D>(&self.core.storage, entity)
    }

    /// The names of the components that are accessible by name, in the order of the declaration: what an editor can add to an
    /// entity.
    ///
    /// ```
    /// # use ecs_core::{World, world};
    /// # struct Speed(f32);
    /// # type Level = u8;
    /// # world! { world Wood; component Level: by_name; component Speed; }
    /// assert!(World::<Wood>::names().eq(["Level"]));
    /// ```
    pub fn names() -> impl Iterator<Item = &'static str> {
        D::BY_NAME.iter().map(ComponentByName::name)
    }

    /// The value of the component of this name, as text. O(components declared), and what the component's `Display` takes.
    /// [`names_of`](Self::names_of) has an example.
    ///
    /// # Errors
    /// If the declaration has no such component, or does not say `by_name` of it; if the entity is not alive, or does not
    /// have it.
    ///
    /// # Panics
    /// If the component's `Display` panics, or fails.
    pub fn get_by_name(&self, entity: Entity, name: &str) -> Result<String, ByNameError> {
        by_name::get::<D>(&self.core.storage, entity, name)
    }

    /// Gives the component of this name, which the entity has, the value of the text. It counts as changed, as after
    /// [`get_mut`](Self::get_mut). O(components declared), and what the component's `FromStr` takes.
    ///
    /// ```
    /// # use ecs_core::{ByNameError, World, world};
    /// # type Level = u8;
    /// # world! { world Wood; component Level: by_name; }
    /// let mut world = World::<Wood>::new();
    /// let orc = world.spawn((1_u8,));
    /// world.set_by_name(orc, "Level", "2")?;
    /// assert_eq!(world.get_by_name(orc, "Level")?, "2");
    /// let error = world.set_by_name(orc, "Level", "many").unwrap_err();
    /// assert_eq!(error.to_string(), "the component `Level` cannot be `many`: invalid digit found in string");
    /// let error = world.set_by_name(orc, "Levle", "3").unwrap_err();
    /// assert_eq!(error.to_string(), "the world `Wood` has no component `Levle`; did you mean `Level`?");
    /// # Ok::<_, ByNameError>(())
    /// ```
    ///
    /// # Errors
    /// As [`get_by_name`](Self::get_by_name), and if the text has no value. Nothing has changed then. A component that the
    /// entity does not have is not inserted: that is [`insert_by_name`](Self::insert_by_name).
    ///
    /// # Panics
    /// If the component's `FromStr` panics, and with the panic of the old value's destructor, after the component is set.
    pub fn set_by_name(
        &mut self,
        entity: Entity,
        name: &str,
        text: &str,
    ) -> Result<(), ByNameError> {
        by_name::set::<D>(&mut self.core.storage, entity, name, text)
    }

    /// Inserts the component of this name with the value of the text, whether the entity has one or not. This is a step of its
    /// own, as [`insert`](Self::insert); for many components, one [`step`](Self::step) for all of them is faster.
    ///
    /// ```
    /// # use ecs_core::{ByNameError, World, world};
    /// # type Level = u8;
    /// # world! { world Wood; component Level: by_name; }
    /// let mut world = World::<Wood>::new();
    /// let orc = world.spawn(());
    /// assert!(matches!(world.set_by_name(orc, "Level", "2"), Err(ByNameError::Absent { .. })));
    /// world.insert_by_name(orc, "Level", "2")?;
    /// assert!(world.names_of(orc).eq(["Level"]));
    /// world.remove_by_name(orc, "Level")?;
    /// assert_eq!(world.names_of(orc).count(), 0);
    /// # Ok::<_, ByNameError>(())
    /// ```
    ///
    /// # Errors
    /// As [`set_by_name`](Self::set_by_name), except that the entity need not have the component.
    ///
    /// # Panics
    /// As [`set_by_name`](Self::set_by_name), and with the panic of a storage strategy.
    pub fn insert_by_name(
        &mut self,
        entity: Entity,
        name: &str,
        text: &str,
    ) -> Result<(), ByNameError> {
        self.edit(|edit| edit.insert_by_name(entity, name, text))
    }

    /// Removes the component of this name from the entity, and drops it. This is a step of its own, as
    /// [`remove`](Self::remove). [`insert_by_name`](Self::insert_by_name) has an example.
    ///
    /// # Errors
    /// As [`get_by_name`](Self::get_by_name).
    ///
    /// # Panics
    /// With the panic of the component's destructor, after it is removed, or of a storage strategy.
    pub fn remove_by_name(&mut self, entity: Entity, name: &str) -> Result<(), ByNameError> {
        self.edit(|edit| edit.remove_by_name(entity, name))
    }
}
