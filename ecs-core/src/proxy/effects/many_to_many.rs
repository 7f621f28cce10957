//! Relations of many to many: what systems and programs read of them, and stage.

use super::relations::{assert_reads_links, named, rank};
use crate::entity::{EffectTarget, Entity, Locate, PendingKey};
use crate::relations::{Change, Linked, ManyToMany, Refused};
use crate::signature::access::{Links as ChangesLinks, ReadsLinks};
use crate::signature::{Declaration, Effects, HasManyToMany, HasResource, SystemName};
use crate::state::{Core, CoreData, Defer};
use crate::types::ThreadSafe;

impl<'w, D: Declaration, N: SystemName<D>> Effects<'w, D, N> {
    /// Links `source` to `target` in the relation `X`, at the refresh, with this value. If they are linked then, the value replaces
    /// that of the link.
    ///
    /// All changes of links take effect together, in the order of phase, system, subtask and call; of several of one link, the
    /// last one counts. The link is refused if one of the two is not alive by then: see [`Refused`](crate::Refused). An entity can be
    /// linked to itself. Amortized O(1); see [`World::insert_link`](crate::World::insert_link) for the refresh.
    ///
    /// A link of a [`PendingEntity`](crate::PendingEntity) is made when that is spawned, behind those of entities that live
    /// already. If it finds no room, it has none.
    ///
    /// ```
    /// # use ecs_core::{Entity, World, world};
    /// # struct Home;
    /// struct Road { length: f32 }
    ///
    /// world! {
    ///     world Map;
    ///     component Home: empty;
    ///     relation Road: many_to_many, on_despawn: detach;
    ///     system Build {
    ///         spawn: [Home],
    ///         link: [Road],
    ///         run: |data| {
    ///             let [here, there] = [(); 2].map(|()| data.effects.spawn_pending((Home,)));
    ///             data.effects.insert_link(here, there, Road { length: 3.0 });
    ///             data.effects.insert_link(there, here, Road { length: 3.5 });
    ///         },
    ///     }
    /// }
    ///
    /// let mut world = World::<Map>::new();
    /// world.tick()?;
    /// for (home, _) in world.iter::<(Entity, &Home)>() {
    ///     let (there, _) = world.targets::<Road>(home).next().unwrap();
    ///     let back = world.get_link::<Road>(there, home).unwrap();
    ///     assert!(back.length >= 3.0);
    /// }
    /// # Ok::<_, ecs_core::StepError>(())
    /// ```
    #[inline]
    pub fn insert_link<X: ThreadSafe>(
        &mut self,
        source: impl EffectTarget<'w>,
        target: impl EffectTarget<'w>,
        value: X,
    ) where
        D: HasManyToMany<X>,
        N: ChangesLinks<X, D>,
    {
        let entities = &self.core.storage.entities;
        let source = named(source, entities);
        let target = named(target, entities);
        match (source, target) {
            (Some(Ok(source)), Some(Ok(target))) => {
                self.stage_change(Change { source, target, value: Some(value) });
            }
            (Some(source), Some(target)) => self.stage_link_of_pending(source, target, value),
            // A place without an entity.
            _ => {}
        }
    }

    /// Ends the link from `source` to `target` in the relation `X`, at the refresh, if there is one by then, and drops its value. Amortized
    /// O(1).
    #[inline]
    pub fn remove_link<X: ThreadSafe>(&mut self, source: impl Locate, target: impl Locate)
    where
        D: HasManyToMany<X>,
        N: ChangesLinks<X, D>,
    {
        let entities = &self.core.storage.entities;
        let source = source.handle(entities);
        if let (Some(source), Some(target)) = (source, target.handle(entities)) {
            self.stage_change(Change::<X> { source, target, value: None });
        }
    }

    #[inline]
    fn stage_change<X: ThreadSafe>(&mut self, change: Change<X>)
    where
        D: HasManyToMany<X>,
    {
        let rank = const { rank::<D, N>(index_of::<D, X>()) };
        self.work.added.link::<D, ManyToMany<X>>(rank, change);
    }

    /// Stages a link of one or two pending entities.
    fn stage_link_of_pending<X: ThreadSafe>(
        &mut self,
        source: Result<Entity, PendingKey>,
        target: Result<Entity, PendingKey>,
        value: X,
    ) where
        D: HasManyToMany<X>,
    {
        const { rank::<D, N>(index_of::<D, X>()) };
        self.work.staged.pending.push(move |resolving| {
            let entities = [source, target].map(|entity| match entity {
                Ok(entity) => Some(entity),
                // One that has found no room has no links.
                Err(key) => resolving.row(key).map(|_| resolving.entity(key)),
            });
            if let [Some(source), Some(target)] = entities {
                let relation = resolving.core.resources.get_mut::<D, ManyToMany<X>>();
                relation.of_spawned.push(Change { source, target, value: Some(value) });
            }
        });
    }

    /// The entities to which links of the relation `X` lead from this one, with the values of the links, in the order of iteration: as of
    /// the last refresh. O(1).
    #[inline]
    #[must_use]
    pub fn targets<X: ThreadSafe>(&self, of: Entity) -> Linked<'w, X>
    where
        D: HasManyToMany<X>,
        N: ReadsLinks<X, D>,
    {
        const { assert_reads_links::<D, N>(index_of::<D, X>()) };
        self.core.targets::<X>(of)
    }

    /// The entities from which links of the relation `X` lead to this one, with the values of the links, in the order of iteration: as of
    /// the last refresh. O(1).
    #[inline]
    #[must_use]
    pub fn sources<X: ThreadSafe>(&self, of: Entity) -> Linked<'w, X>
    where
        D: HasManyToMany<X>,
        N: ReadsLinks<X, D>,
    {
        const { assert_reads_links::<D, N>(index_of::<D, X>()) };
        self.core.sources::<X>(of)
    }

    /// The value of the link from `source` to `target` in the relation `X`, if there is one: as of the last refresh. O(log links from
    /// `source`).
    #[inline]
    #[must_use]
    pub fn get_link<X: ThreadSafe>(&self, source: Entity, target: Entity) -> Option<&'w X>
    where
        D: HasManyToMany<X>,
        N: ReadsLinks<X, D>,
    {
        const { assert_reads_links::<D, N>(index_of::<D, X>()) };
        self.core.get_link::<X>(source, target)
    }
}

/// The index of the relation among the resources.
const fn index_of<D: HasManyToMany<X>, X: ThreadSafe>() -> usize {
    let index = <D as HasResource<ManyToMany<X>>>::INDEX;
    assert!(index < D::RESOURCES.len(), "[ECS0070] the index of a resource is out of range");
    index
}

impl<D: Declaration> Core<D> {
    /// The links from an entity.
    #[inline]
    pub(crate) fn targets<X: ThreadSafe>(&self, of: Entity) -> Linked<'_, X>
    where
        D: HasManyToMany<X>,
    {
        self.resources.get::<D, ManyToMany<X>>().targets(of, &self.storage.entities)
    }

    /// The links to an entity.
    #[inline]
    pub(crate) fn sources<X: ThreadSafe>(&self, of: Entity) -> Linked<'_, X>
    where
        D: HasManyToMany<X>,
    {
        self.resources.get::<D, ManyToMany<X>>().sources(of, &self.storage.entities)
    }

    /// The value of the link between two entities.
    #[inline]
    pub(crate) fn get_link<X: ThreadSafe>(&self, source: Entity, target: Entity) -> Option<&X>
    where
        D: HasManyToMany<X>,
    {
        self.resources.get::<D, ManyToMany<X>>().get(source, target, &self.storage.entities)
    }

    /// The value of the link between two entities, to write.
    pub(crate) fn get_link_mut<X: ThreadSafe>(
        &mut self,
        source: Entity,
        target: Entity,
    ) -> Option<&mut X>
    where
        D: HasManyToMany<X>,
    {
        let CoreData { resources, storage, .. } = &mut **self;
        resources.get_mut::<D, ManyToMany<X>>().get_mut(source, target, &storage.entities)
    }

    /// All links.
    pub(crate) fn links_of<X: ThreadSafe>(&self) -> impl Iterator<Item = (Entity, Entity, &X)>
    where
        D: HasManyToMany<X>,
    {
        self.resources.get::<D, ManyToMany<X>>().links(&self.storage.entities)
    }

    /// What the refreshes of the last step have refused.
    pub(crate) fn refused_links<X: ThreadSafe>(&self) -> &[Refused]
    where
        D: HasManyToMany<X>,
    {
        self.resources.get::<D, ManyToMany<X>>().refused()
    }
}

impl<D: Declaration> Defer<'_, D> {
    /// Links `source` to `target` in the relation `X`, at the refresh, with this value: as [`Effects::insert_link`], and behind what
    /// systems have staged before. Amortized O(1).
    pub fn insert_link<X: ThreadSafe>(&mut self, source: Entity, target: Entity, value: X)
    where
        D: HasManyToMany<X>,
    {
        let relation = self.core.resources.get_mut::<D, ManyToMany<X>>();
        relation.staged.push(Change { source, target, value: Some(value) });
    }

    /// Ends the link from `source` to `target` in the relation `X`, at the refresh: as [`Effects::remove_link`]. Amortized O(1).
    pub fn remove_link<X: ThreadSafe>(&mut self, source: Entity, target: Entity)
    where
        D: HasManyToMany<X>,
    {
        let relation = self.core.resources.get_mut::<D, ManyToMany<X>>();
        relation.staged.push(Change { source, target, value: None });
    }

    /// The entities to which links of the relation `X` lead from this one, with the values of the links, in the order of iteration: as of
    /// the last refresh. O(1).
    #[must_use]
    pub fn targets<X: ThreadSafe>(&self, of: Entity) -> Linked<'_, X>
    where
        D: HasManyToMany<X>,
    {
        self.core.targets::<X>(of)
    }

    /// The entities from which links of the relation `X` lead to this one, with the values of the links, in the order of iteration: as of
    /// the last refresh. O(1).
    #[must_use]
    pub fn sources<X: ThreadSafe>(&self, of: Entity) -> Linked<'_, X>
    where
        D: HasManyToMany<X>,
    {
        self.core.sources::<X>(of)
    }

    /// The value of the link from `source` to `target` in the relation `X`, if there is one: as of the last refresh. O(log links from
    /// `source`).
    #[must_use]
    pub fn get_link<X: ThreadSafe>(&self, source: Entity, target: Entity) -> Option<&X>
    where
        D: HasManyToMany<X>,
    {
        self.core.get_link::<X>(source, target)
    }

    /// The value of the link from `source` to `target` in the relation `X`, if there is one, to write: it changes at once. O(log links
    /// from `source`).
    #[must_use]
    pub fn get_link_mut<X: ThreadSafe>(&mut self, source: Entity, target: Entity) -> Option<&mut X>
    where
        D: HasManyToMany<X>,
    {
        self.core.get_link_mut::<X>(source, target)
    }
}
