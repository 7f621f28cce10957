//! Relations: what systems and programs read of them, and stage.

use crate::entity::{EffectTarget, Entities, Entity, Locate, PendingKey, Row as _};
use crate::relations::{Children, Link, Links, Refused, Relation, To};
use crate::signature::access::{Links as ChangesLinks, ReadsLinks};
use crate::signature::{
    Declaration, Effects, HasRelation, HasResource, Message, RelationSignature, SystemName,
    undeclared,
};
use crate::state::{Core, Defer};

impl<'w, D: Declaration, N: SystemName<D>> Effects<'w, D, N> {
    /// Makes `parent` the parent of `child` in the relation `X`, at the refresh.
    ///
    /// All links that are staged take effect together, in the order of phase, system, subtask and call. A link is refused
    /// if one of the two is not alive by then, if `child` has another parent ([`relink`](Self::relink) replaces that), or if
    /// it is the last one on a cycle: see [`Refused`](crate::Refused). Amortized O(1); see [`World::link`](crate::World::link) for the refresh.
    ///
    /// A link of a [`PendingEntity`](crate::PendingEntity) takes effect when that is spawned, behind those of entities that live
    /// already. If it finds no room, it has none.
    ///
    /// ```
    /// # use ecs_core::{Entity, World, world};
    /// # struct Hull;
    /// # struct Turret;
    /// struct PartOf;
    ///
    /// world! {
    ///     world Docks;
    ///     component Hull, Turret: empty;
    ///     relation PartOf: one_to_many, on_despawn: despawn;
    ///     system Build {
    ///         spawn: [Hull, Turret],
    ///         link: [PartOf],
    ///         run: |data| {
    ///             let ship = data.effects.spawn_pending((Hull,));
    ///             for _ in 0..2 {
    ///                 let turret = data.effects.spawn_pending((Turret,));
    ///                 data.effects.link::<PartOf>(turret, ship);
    ///             }
    ///         },
    ///     }
    /// }
    ///
    /// let mut world = World::<Docks>::new();
    /// world.tick()?;
    /// let ship = world.iter::<(Entity, &Hull)>().next().unwrap().0;
    /// assert_eq!(world.children::<PartOf>(ship).count(), 2);
    /// # Ok::<_, ecs_core::StepError>(())
    /// ```
    #[inline]
    pub fn link<X: 'static>(&mut self, child: impl EffectTarget<'w>, parent: impl EffectTarget<'w>)
    where
        D: HasRelation<X>,
        N: ChangesLinks<X, D>,
    {
        self.stage_parent::<X>(child, parent, To::Parent);
    }

    /// Makes `parent` the parent of `child` in the relation `X`, at the refresh, whatever parent that has then: as
    /// [`link`](Self::link). If several are staged for one child, the last one counts.
    #[inline]
    pub fn relink<X: 'static>(
        &mut self,
        child: impl EffectTarget<'w>,
        parent: impl EffectTarget<'w>,
    ) where
        D: HasRelation<X>,
        N: ChangesLinks<X, D>,
    {
        self.stage_parent::<X>(child, parent, To::Another);
    }

    /// Ends the link of `child` to its parent in the relation `X`, at the refresh, if it has one by then. Amortized O(1).
    #[inline]
    pub fn unlink<X: 'static>(&mut self, child: impl Locate)
    where
        D: HasRelation<X>,
        N: ChangesLinks<X, D>,
    {
        if let Some(child) = child.handle(&self.core.storage.entities) {
            self.stage_link::<X>(child, To::Nothing);
        }
    }

    #[inline]
    fn stage_parent<X: 'static>(
        &mut self,
        child: impl EffectTarget<'w>,
        parent: impl EffectTarget<'w>,
        to: fn(Entity) -> To,
    ) where
        D: HasRelation<X>,
    {
        let entities = &self.core.storage.entities;
        let child = named(child, entities);
        let parent = named(parent, entities);
        match (child, parent) {
            (Some(Ok(child)), Some(Ok(parent))) => self.stage_link::<X>(child, to(parent)),
            (Some(child), Some(parent)) => self.stage_pending_link::<X>(child, parent, to),
            // A place without an entity.
            _ => {}
        }
    }

    #[inline]
    fn stage_link<X: 'static>(&mut self, child: Entity, to: To)
    where
        D: HasRelation<X>,
    {
        let rank = const { rank::<D, N>(index_of::<D, X>()) };
        self.work.added.link::<D, Relation<X>>(rank, Link { child, to });
    }

    /// Stages a link of one or two pending entities.
    fn stage_pending_link<X: 'static>(
        &mut self,
        child: Result<Entity, PendingKey>,
        parent: Result<Entity, PendingKey>,
        to: fn(Entity) -> To,
    ) where
        D: HasRelation<X>,
    {
        const { rank::<D, N>(index_of::<D, X>()) };
        self.work.staged.pending.push(move |resolving| {
            let entities = [child, parent].map(|entity| match entity {
                Ok(entity) => Some(entity),
                // One that has found no room has no links.
                Err(key) => resolving.row(key).map(|_| resolving.entity(key)),
            });
            if let [Some(child), Some(parent)] = entities {
                let relation = resolving.core.resources.get_mut::<D, Relation<X>>();
                relation.links.of_spawned.push(Link { child, to: to(parent) });
            }
        });
    }

    /// The parent of the entity in the relation `X`, if it has one: as of the last refresh. O(1).
    #[inline]
    #[must_use]
    pub fn parent<X: 'static>(&self, of: Entity) -> Option<Entity>
    where
        D: HasRelation<X>,
        N: ReadsLinks<X, D>,
    {
        const { assert_reads_links::<D, N>(index_of::<D, X>()) };
        self.core.parent::<X>(of)
    }

    /// The children of the entity in the relation `X`, in the order of iteration: as of the last refresh. O(1).
    #[inline]
    #[must_use]
    pub fn children<X: 'static>(&self, of: Entity) -> Children<'w>
    where
        D: HasRelation<X>,
        N: ReadsLinks<X, D>,
    {
        const { assert_reads_links::<D, N>(index_of::<D, X>()) };
        self.core.children::<X>(of)
    }
}

/// A handle of the entity, or its key if it is pending.
#[inline]
pub(super) fn named<'w>(
    entity: impl EffectTarget<'w>,
    entities: &Entities,
) -> Option<Result<Entity, PendingKey>> {
    match entity.aim() {
        Ok(entity) => entity.handle(entities).map(Ok),
        Err(key) => Some(Err(key)),
    }
}

/// The index of the relation among the resources.
pub(crate) const fn index_of<D: HasRelation<X>, X: 'static>() -> usize {
    let index = <D as HasResource<Relation<X>>>::INDEX;
    assert!(index < D::RESOURCES.len(), "[ECS0070] the index of a resource is out of range");
    index
}

/// The position of the relation among what the system adds to, emits and links.
pub(super) const fn rank<D: Declaration, N: SystemName<D>>(relation: usize) -> usize {
    let declared = &D::SYSTEMS[N::INDEX].declared;
    let mut rank = 0;
    while rank < declared.link.len() {
        if declared.link[rank] == relation {
            return declared.add.len() + declared.emit.len() + rank;
        }
        rank += 1;
    }
    undeclared::<D, N>("change the links of", D::RESOURCES[relation].name())
}

/// Fails to compile unless the table lets the system `N` read the links of the relation.
pub(super) const fn assert_reads_links<D: Declaration, N: SystemName<D>>(relation: usize) {
    let declared = &D::SYSTEMS[N::INDEX].declared;
    let lists = [declared.relations, declared.after_parent];
    if !ecs_rules::contains_any(&lists, relation) {
        undeclared::<D, N>("read the links of", D::RESOURCES[relation].name());
    }
}

/// The relation along which the system goes. Fails to compile if there is none, or if it gives entities no parents.
pub(crate) const fn assert_follows<D: Declaration, N: SystemName<D>>() -> usize {
    match D::SYSTEMS[N::INDEX].declared.after_parent {
        [relation] => {
            if let Some(RelationSignature { parents: None, .. }) =
                RelationSignature::find(D::RELATIONS, *relation)
            {
                Message::new()
                    .text("[ECS0144] the system `")
                    .text(D::SYSTEMS[N::INDEX].name)
                    .text("` goes along `")
                    .text(D::RESOURCES[*relation].name())
                    .text("`, which is many-to-many, so that there are no parents")
                    .raise();
            }
            *relation
        }
        _ => undeclared::<D, N>("go along", "a relation"),
    }
}

impl<D: Declaration> Core<D> {
    #[inline]
    fn links<X: 'static>(&self) -> &Links
    where
        D: HasRelation<X>,
    {
        &self.resources.get::<D, Relation<X>>().links
    }

    /// The parent of an entity.
    #[inline]
    pub(crate) fn parent<X: 'static>(&self, of: Entity) -> Option<Entity>
    where
        D: HasRelation<X>,
    {
        let entities = &self.storage.entities;
        self.links::<X>().parent(of, entities.handles(), entities.rows())
    }

    /// The children of an entity.
    #[inline]
    pub(crate) fn children<X: 'static>(&self, of: Entity) -> Children<'_>
    where
        D: HasRelation<X>,
    {
        let entities = &self.storage.entities;
        self.links::<X>().children(of, entities.handles(), entities.rows())
    }

    /// What the refreshes of the last step have refused.
    pub(crate) fn refused<X: 'static>(&self) -> &[Refused]
    where
        D: HasRelation<X>,
    {
        &self.links::<X>().refused
    }
}

impl<D: Declaration> Defer<'_, D> {
    /// Makes `parent` the parent of `child` in the relation `X`, at the refresh: as [`Effects::link`], and behind what systems have
    /// staged before. Amortized O(1).
    pub fn link<X: 'static>(&mut self, child: Entity, parent: Entity)
    where
        D: HasRelation<X>,
    {
        self.stage_link::<X>(child, To::Parent(parent));
    }

    /// Makes `parent` the parent of `child` in the relation `X`, at the refresh, whatever parent that has then: as
    /// [`Effects::relink`]. Amortized O(1).
    pub fn relink<X: 'static>(&mut self, child: Entity, parent: Entity)
    where
        D: HasRelation<X>,
    {
        self.stage_link::<X>(child, To::Another(parent));
    }

    /// Ends the link of `child` to its parent in the relation `X`, at the refresh: as [`Effects::unlink`]. Amortized O(1).
    pub fn unlink<X: 'static>(&mut self, child: Entity)
    where
        D: HasRelation<X>,
    {
        self.stage_link::<X>(child, To::Nothing);
    }

    fn stage_link<X: 'static>(&mut self, child: Entity, to: To)
    where
        D: HasRelation<X>,
    {
        let relation = self.core.resources.get_mut::<D, Relation<X>>();
        relation.links.staged.push(Link { child, to });
    }

    /// The parent of the entity in the relation `X`, if it has one: as of the last refresh. O(1).
    #[must_use]
    pub fn parent<X: 'static>(&self, of: Entity) -> Option<Entity>
    where
        D: HasRelation<X>,
    {
        self.core.parent::<X>(of)
    }

    /// The children of the entity in the relation `X`, in the order of iteration: as of the last refresh. O(1).
    #[must_use]
    pub fn children<X: 'static>(&self, of: Entity) -> Children<'_>
    where
        D: HasRelation<X>,
    {
        self.core.children::<X>(of)
    }
}
