//! Prefabs: copied out of a world, spawned, saved and loaded.

#[cfg(feature = "serde")]
use std::io::Write;

use super::World;
use crate::entity::{Entity, EntityLimit};
use crate::scheduling::settings::Settings;
use crate::signature::{Declaration, HasRelation};
use crate::state::prefab::{Prefab, PrefabError};
#[cfg(feature = "serde")]
use crate::state::save::{LoadError, SaveError, SaveFormat, Saveable};
#[cfg(feature = "ron")]
use crate::state::save::{TextError, TextFormat};
use crate::state::snapshot::Cloneable;

impl<D: Declaration, S: Settings> World<D, S> {
    /// Makes a prefab of these entities, in this order: it has copies of their components, and the links from one of them to another. Links to other
    /// entities are left out. The world stays as it is. [`Prefab`] has an example.
    ///
    /// O(components of the declaration × entities + links), with a clone of each value.
    ///
    /// # Errors
    /// If an entity is not alive, or given twice.
    ///
    /// # Panics
    /// With the panic of a `Clone` or a `MapEntities`.
    pub fn prefab(
        &self,
        entities: impl IntoIterator<Item = Entity>,
    ) -> Result<Prefab<D>, PrefabError>
    where
        D: Cloneable,
    {
        let entities: Vec<Entity> = entities.into_iter().collect();
        Prefab::of(&self.core.storage, &self.core.resources, &entities)
    }

    /// Makes a prefab of an entity and all of its descendants in the relation `X`, as [`prefab`](Self::prefab) does. The root is the first. The others
    /// follow level by level, the children of one entity in the order of iteration.
    ///
    /// # Errors
    /// If the root is not alive.
    ///
    /// # Panics
    /// As [`prefab`](Self::prefab).
    pub fn prefab_tree<X: 'static>(&self, root: Entity) -> Result<Prefab<D>, PrefabError>
    where
        D: Cloneable + HasRelation<X>,
    {
        let mut all = vec![root];
        let mut next = 0;
        while let Some(&parent) = all.get(next) {
            all.extend(self.children::<X>(parent));
            next += 1;
        }
        self.prefab(all)
    }

    /// Spawns the entities of the prefab, and returns their handles, in the order of the prefab. In a world with a fixed limit it returns a
    /// `Result` with [`LimitReached`](crate::LimitReached). [`Prefab`] has an example.
    ///
    /// For many copies, [`spawn_prefabs`](Self::spawn_prefabs) is faster.
    ///
    /// # Panics
    /// As [`Defer::spawn_prefabs`](crate::Defer::spawn_prefabs). A world without a fixed limit panics if it would have more than 2³¹ − 1
    /// entities.
    pub fn spawn_prefab(
        &mut self,
        prefab: &Prefab<D>,
    ) -> <S::Limit as EntityLimit>::Outcome<Vec<Entity>>
    where
        D: Cloneable,
    {
        self.spawn_prefabs(prefab, 1)
    }

    /// Spawns the entities of the prefab `count` times, as [`Defer::spawn_prefabs`](crate::Defer::spawn_prefabs) does, in a step of its own.
    ///
    /// # Panics
    /// As [`spawn_prefab`](Self::spawn_prefab).
    pub fn spawn_prefabs(
        &mut self,
        prefab: &Prefab<D>,
        count: usize,
    ) -> <S::Limit as EntityLimit>::Outcome<Vec<Entity>>
    where
        D: Cloneable,
    {
        S::Limit::outcome(self.edit(|edit| edit.try_spawn_prefabs(prefab, count)))
    }
}

#[cfg(feature = "serde")]
impl<D: Saveable + Cloneable> Prefab<D> {
    /// Writes the prefab as bytes, for [`World::load_prefab`]. They are a [save](crate::save) that has only its entities,
    /// components and relations. A program that has a [`SaveFormat`] calls [`SaveFormat::save_prefab`] instead.
    ///
    /// O(entities × components). The initial values of all resources are made, and not written.
    ///
    /// ```
    /// use ecs_core::{Prefab, Template, World, world};
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    /// struct Armor(u32);
    /// struct PartOf;
    ///
    /// world! { world Field; component Armor; relation PartOf: one_to_many, on_despawn: despawn; }
    ///
    /// let mut tank = Prefab::<Field>::new();
    /// let [hull, turret] = [80, 40].map(|armor| tank.push(Template::new((Armor(armor),))));
    /// tank.link::<PartOf>(turret, hull)?;
    /// let mut bytes = Vec::new();
    /// tank.save(&mut bytes)?;
    ///
    /// let mut world = World::<Field>::new();
    /// let tank = world.load_prefab(&bytes)?;
    /// let spawned = world.spawn_prefab(&tank);
    /// assert_eq!(world.get(spawned[1]), Some(&Armor(40)));
    /// assert_eq!(world.parent::<PartOf>(spawned[1]), Some(spawned[0]));
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`World::save`].
    ///
    /// # Panics
    /// If `Serialize`, a `Clone`, a `MapEntities` or the initial value of a resource panics.
    pub fn save(&self, to: impl Write) -> Result<(), SaveError> {
        SaveFormat::new().save_prefab(self, to)
    }
}

#[cfg(feature = "serde")]
impl<D: Declaration, S: Settings> World<D, S> {
    /// Loads a prefab from bytes of [`Prefab::save`], which has an example. The save of a whole world is a prefab, too, without its resources and states.
    ///
    /// The prefab has all entities of the save, in the order of their [indices](Entity::index); for a saved prefab, this is the
    /// order that it had. The world stays as it is.
    ///
    /// # Errors
    /// As [`load_snapshot`](Self::load_snapshot).
    ///
    /// # Panics
    /// As [`load_snapshot`](Self::load_snapshot), and if a `Clone` or a `MapEntities` panics.
    pub fn load_prefab(&self, bytes: &[u8]) -> Result<Prefab<D>, LoadError>
    where
        D: Saveable + Cloneable,
    {
        SaveFormat::new().load_prefab(self, bytes)
    }
}

#[cfg(feature = "serde")]
impl<D: Saveable + Cloneable> SaveFormat<D> {
    /// As [`Prefab::save`], in this format.
    ///
    /// # Errors
    /// As [`World::save`].
    ///
    /// # Panics
    /// As [`Prefab::save`].
    pub fn save_prefab(&self, prefab: &Prefab<D>, mut to: impl Write) -> Result<(), SaveError> {
        self.write_prefab(prefab, &mut to)
    }

    /// As [`World::load_prefab`], in this format.
    ///
    /// # Errors
    /// As [`World::load_prefab`].
    ///
    /// # Panics
    /// As [`World::load_prefab`], and if a migration panics.
    pub fn load_prefab<S: Settings>(
        &self,
        world: &World<D, S>,
        bytes: &[u8],
    ) -> Result<Prefab<D>, LoadError> {
        self.read_prefab(&world.core, bytes)
    }
}

#[cfg(feature = "ron")]
impl<D: Saveable + Cloneable> TextFormat<D> {
    /// The prefab as text, in a form that people can also write: for each entity the values of its components, and the
    /// number of its parent in each relation of one to many. This format has to list all of these components. In a component, the pair `(n, 1)` is the
    /// handle of entity *n*: [`Prefab::handle`]`(n)`.
    ///
    /// ```
    /// use ecs_core::{Entity, MapEntities, Prefab, TextFormat, World, world};
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Clone, Serialize, Deserialize)]
    /// struct Armor(u32);
    /// #[derive(Clone, MapEntities, Serialize, Deserialize)]
    /// struct Gunner(#[entities] Entity);
    /// struct PartOf;
    ///
    /// world! {
    ///     world Field;
    ///     component Armor, Gunner;
    ///     relation PartOf: one_to_many, on_despawn: despawn;
    /// }
    ///
    /// let format = TextFormat::new().component::<Armor>().component::<Gunner>();
    /// let mut world = World::<Field>::new();
    /// let tank = format.load_prefab(&world, r#"(
    ///     world: "Field",
    ///     entities: [
    ///         {"Armor": (80)},
    ///         {"Armor": (40), "Gunner": ((2, 1)), "PartOf": 0},
    ///         {"PartOf": 1},
    ///     ],
    /// )"#)?;
    /// let [hull, turret, gunner] = world.spawn_prefab(&tank)[..] else { unreachable!() };
    /// assert_eq!(world.parent::<PartOf>(turret), Some(hull));
    /// assert_eq!(world.get::<Gunner>(turret).unwrap().0, gunner);
    ///
    /// let text = format.save_prefab(&tank)?;
    /// assert!(text.contains(r#"{"Armor": (40), "Gunner": ((2,1)), "PartOf": 0}"#), "{text}");
    /// # Ok::<_, ecs_core::TextError>(())
    /// ```
    ///
    /// # Errors
    /// [`TextError::Part`] if a component is not listed, if `Serialize` fails for a value, or if there are links of many to many.
    ///
    /// # Panics
    /// As [`Prefab::save`].
    pub fn save_prefab(&self, prefab: &Prefab<D>) -> Result<String, TextError> {
        self.text_of_prefab(prefab)
    }

    /// Loads the prefab that the text describes. The world stays as it is. [`save_prefab`](Self::save_prefab) has an example. O(text).
    ///
    /// # Errors
    /// See [`TextError`].
    ///
    /// # Panics
    /// As [`World::load_prefab`].
    pub fn load_prefab<S: Settings>(
        &self,
        world: &World<D, S>,
        text: &str,
    ) -> Result<Prefab<D>, TextError> {
        self.prefab_of_text(&world.core, text)
    }
}
