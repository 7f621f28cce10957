//! Relations of many to many, from outside of steps.

use super::World;
use crate::changes::StepError;
use crate::entity::Entity;
use crate::relations::{Linked, Refused};
use crate::scheduling::settings::Settings;
use crate::signature::{Declaration, HasManyToMany};
use crate::types::ThreadSafe;

impl<D: Declaration, S: Settings> World<D, S> {
    /// Links `source` to `target` in the relation `X`, with this value. If they are linked already, the value replaces that of the
    /// link. An entity can be linked to itself. This is a step of its own; for many links, one [`step`](Self::step) for all of them is
    /// faster by far.
    ///
    /// O(log links), and a move of those links of `source` and of `target` that come behind the new one in the order of iteration. What
    /// replaces a value is O(log links).
    ///
    /// ```
    /// # use ecs_core::{World, world};
    /// struct Likes(u8);
    ///
    /// world! {
    ///     world Village;
    ///     relation Likes: many_to_many, on_despawn: detach;
    /// }
    ///
    /// let mut world = World::<Village>::new();
    /// let [ada, bea] = [(), ()].map(|()| world.spawn(()));
    /// world.insert_link(ada, bea, Likes(1))?;
    /// world.insert_link(ada, bea, Likes(2))?;
    /// assert_eq!(world.get_link::<Likes>(ada, bea).unwrap().0, 2);
    /// assert!(world.get_link::<Likes>(bea, ada).is_none());
    /// world.remove_link::<Likes>(ada, bea);
    /// assert_eq!(world.targets::<Likes>(ada).len(), 0);
    /// # Ok::<_, ecs_core::StepError>(())
    /// ```
    ///
    /// # Errors
    /// If the link is refused, since one of the two is not alive.
    ///
    /// # Panics
    /// With the panic of the destructor of the value that is replaced, after all is done.
    pub fn insert_link<X: ThreadSafe>(
        &mut self,
        source: Entity,
        target: Entity,
        value: X,
    ) -> Result<(), StepError>
    where
        D: HasManyToMany<X>,
    {
        self.step(|step| step.insert_link(source, target, value))
    }

    /// Ends the link from `source` to `target` in the relation `X`, if there is one, and drops its value. Complexity as of
    /// [`insert_link`](Self::insert_link).
    ///
    /// # Panics
    /// With the panic of the value's destructor, after all is done.
    pub fn remove_link<X: ThreadSafe>(&mut self, source: Entity, target: Entity)
    where
        D: HasManyToMany<X>,
    {
        self.edit(|edit| edit.remove_link::<X>(source, target));
    }

    /// The value of the link from `source` to `target` in the relation `X`, if there is one. [`insert_link`](Self::insert_link) has an
    /// example. O(log links from `source`).
    #[must_use]
    pub fn get_link<X: ThreadSafe>(&self, source: Entity, target: Entity) -> Option<&X>
    where
        D: HasManyToMany<X>,
    {
        self.core.get_link::<X>(source, target)
    }

    /// The value of the link from `source` to `target` in the relation `X`, if there is one, to write: the world changes at once, as by
    /// [`get_mut`](Self::get_mut). O(log links from `source`).
    #[must_use]
    pub fn get_link_mut<X: ThreadSafe>(&mut self, source: Entity, target: Entity) -> Option<&mut X>
    where
        D: HasManyToMany<X>,
    {
        self.core.get_link_mut::<X>(source, target)
    }

    /// All links of the relation `X`: the source, the target and the value, in the order of iteration of the sources, and for each
    /// source in that of the targets. O(rows + links).
    ///
    /// ```
    /// # use ecs_core::{World, world};
    /// struct Road(f32);
    ///
    /// world! {
    ///     world Map;
    ///     relation Road: many_to_many, on_despawn: detach;
    /// }
    ///
    /// let mut world = World::<Map>::new();
    /// let [here, there] = [(), ()].map(|()| world.spawn(()));
    /// world.insert_link(there, here, Road(3.5))?;
    /// world.insert_link(here, there, Road(1.0))?;
    /// world.get_link_mut::<Road>(here, there).unwrap().0 = 3.0;
    /// let all = world.links::<Road>().map(|(from, to, road)| (from, to, road.0));
    /// assert!(all.eq([(here, there, 3.0), (there, here, 3.5)]));
    /// # Ok::<_, ecs_core::StepError>(())
    /// ```
    pub fn links<X: ThreadSafe>(&self) -> impl Iterator<Item = (Entity, Entity, &X)>
    where
        D: HasManyToMany<X>,
    {
        self.core.links_of::<X>()
    }

    /// The entities to which links of the relation `X` lead from this one, with the values of the links, in the order of iteration.
    /// [`ManyToMany`](crate::ManyToMany) has an example. O(1).
    #[must_use]
    pub fn targets<X: ThreadSafe>(&self, of: Entity) -> Linked<'_, X>
    where
        D: HasManyToMany<X>,
    {
        self.core.targets::<X>(of)
    }

    /// The entities from which links of the relation `X` lead to this one, with the values of the links, in the order of iteration.
    /// [`ManyToMany`](crate::ManyToMany) has an example. O(1).
    #[must_use]
    pub fn sources<X: ThreadSafe>(&self, of: Entity) -> Linked<'_, X>
    where
        D: HasManyToMany<X>,
    {
        self.core.sources::<X>(of)
    }

    /// What the last step has refused for the sake of the relation `X`, of many to many, in the order in which it was staged; of several
    /// refreshes, one after the other: as [`refused`](Self::refused) for one-to-many relations. O(1).
    ///
    /// ```
    /// # use ecs_core::{Refused, World, world};
    /// struct Owes(u32);
    ///
    /// world! {
    ///     world Bank;
    ///     relation Owes: many_to_many, on_despawn: forbid;
    /// }
    ///
    /// let mut world = World::<Bank>::new();
    /// let [ada, bea] = [(), ()].map(|()| world.spawn(()));
    /// world.insert_link(bea, ada, Owes(20))?;
    /// assert!(!world.despawn(ada));
    /// assert_eq!(world.refused_links::<Owes>(), [Refused::DespawnTarget { entity: ada, source: bea }]);
    /// world.despawn(bea);
    /// assert!(world.despawn(ada));
    /// # Ok::<_, ecs_core::StepError>(())
    /// ```
    #[must_use]
    pub fn refused_links<X: ThreadSafe>(&self) -> &[Refused]
    where
        D: HasManyToMany<X>,
    {
        self.core.refused_links::<X>()
    }
}
