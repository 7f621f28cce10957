//! The links of a prefab: one list for each relation.

use core::any::Any;
use core::slice::Chunks;

use super::PrefabError;
use crate::entity::{Entities, Entity};
use crate::relations::{AnyRelation, Change, ManyToMany, Relation, StagesLinks};
use crate::signature::{Declaration, HasManyToMany, HasRelation, HasResource, RelationSignature};
use crate::state::Resources;
use crate::types::{Erased, ThreadSafe};

/// The links of one relation, between numbers of entities.
pub(crate) trait AnyLinks: Send + Sync {
    /// Stages the links in the resource of the relation, once for each of `spawns`, which are the new entities by number.
    fn stage(&self, relation: &mut Erased, spawns: Chunks<'_, Entity>);

    /// How many there are.
    fn len(&self) -> usize;

    /// Children and their parents, ascending by child, if the relation is one to many.
    #[cfg(feature = "ron")]
    fn parents(&self) -> Option<&[[u32; 2]]>;

    fn cloned(&self) -> Box<dyn AnyLinks>;

    fn as_any_mut(&mut self) -> &mut dyn Any;
}

/// The links of a relation of one to many.
#[derive(Clone)]
pub(super) struct ParentList {
    /// Child and parent, ascending by child.
    links: Vec<[u32; 2]>,
    relation: &'static str,
    relation_mut: fn(&mut Erased) -> &mut (dyn AnyRelation + 'static),
}

impl ParentList {
    /// No links yet, of the relation with this resource.
    pub(super) fn of<D: Declaration>(resource: usize) -> Self {
        let signature = RelationSignature::find(D::RELATIONS, resource);
        Self {
            links: Vec::new(),
            relation: D::RESOURCES[resource].name(),
            relation_mut: signature.expect("it is a relation").relation_mut,
        }
    }

    /// The links between these entities.
    pub(super) fn taken<D: HasRelation<X>, X: 'static>(
        resources: &Resources,
        entities: &Entities,
        all: &[Entity],
        number: &dyn Fn(Entity) -> Option<u32>,
    ) -> Option<Box<dyn AnyLinks>> {
        let links = &resources.get::<D, Relation<X>>().links;
        let parent = |child| links.parent(child, entities.handles(), entities.rows());
        let parents =
            (0..).zip(all).filter_map(|(child, &entity)| Some([child, number(parent(entity)?)?]));
        let links: Vec<_> = parents.collect();
        (!links.is_empty()).then(|| {
            Box::new(Self { links, ..Self::of::<D>(<D as HasResource<Relation<X>>>::INDEX) })
                as Box<_>
        })
    }

    fn position(&self, child: u32) -> Result<usize, usize> {
        self.links.binary_search_by_key(&child, |[child, _]| *child)
    }

    fn parent(&self, child: u32) -> Option<u32> {
        self.position(child).ok().map(|at| self.links[at][1])
    }

    /// Adds the link of a child that has the highest number so far, and thus none yet.
    pub(super) fn append(&mut self, child: usize, parent: usize) {
        let number = |number| u32::try_from(number).expect("a prefab has fewer than 2³² entities");
        self.links.push([number(child), number(parent)]);
    }

    /// Adds a link, unless it would be one to a second parent, or make a cycle.
    pub(super) fn add(&mut self, child: u32, parent: u32) -> Result<(), PrefabError> {
        let (relation, child_number) = (self.relation, child as usize);
        let at = match self.position(child) {
            Ok(at) if self.links[at][1] == parent => return Ok(()),
            Ok(at) => {
                let has = self.links[at][1] as usize;
                return Err(PrefabError::SecondParent { relation, child: child_number, has });
            }
            Err(at) => at,
        };
        let mut ancestor = Some(parent);
        while let Some(one) = ancestor {
            if one == child {
                let parent = parent as usize;
                return Err(PrefabError::Cycle { relation, child: child_number, parent });
            }
            ancestor = self.parent(one);
        }
        self.links.insert(at, [child, parent]);
        Ok(())
    }
}

impl AnyLinks for ParentList {
    fn stage(&self, relation: &mut Erased, spawns: Chunks<'_, Entity>) {
        // No other links of these children are staged yet. At the front, a step of many spawns would move all links with each.
        (self.relation_mut)(relation).stage_last(&mut spawns.flat_map(|entities| {
            self.links
                .iter()
                .map(|&[child, parent]| (entities[child as usize], entities[parent as usize]))
        }));
    }

    fn len(&self) -> usize {
        self.links.len()
    }

    #[cfg(feature = "ron")]
    fn parents(&self) -> Option<&[[u32; 2]]> {
        Some(&self.links)
    }

    fn cloned(&self) -> Box<dyn AnyLinks> {
        Box::new(self.clone())
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}

/// The links of a relation of many to many.
#[derive(Clone)]
pub(super) struct LinkList<X> {
    /// Source and target, ascending, and the value.
    links: Vec<([u32; 2], X)>,
}

impl<X: ThreadSafe + Clone> LinkList<X> {
    pub(super) const fn new() -> Self {
        Self { links: Vec::new() }
    }

    /// The links between these entities.
    pub(super) fn taken<D: HasManyToMany<X>>(
        resources: &Resources,
        entities: &Entities,
        all: &[Entity],
        number: &dyn Fn(Entity) -> Option<u32>,
    ) -> Option<Box<dyn AnyLinks>> {
        let relation = resources.get::<D, ManyToMany<X>>();
        let mut links = Vec::new();
        for (source, &entity) in (0..).zip(all) {
            let targets = relation.targets(entity, entities);
            let inside =
                targets.filter_map(|(to, value)| Some(([source, number(to)?], value.clone())));
            links.extend(inside);
        }
        links.sort_by_key(|(ends, _)| *ends);
        (!links.is_empty()).then(|| Box::new(Self { links }) as Box<_>)
    }

    pub(super) fn insert(&mut self, ends: [u32; 2], value: X) {
        match self.links.binary_search_by_key(&ends, |(ends, _)| *ends) {
            Ok(at) => self.links[at].1 = value,
            Err(at) => self.links.insert(at, (ends, value)),
        }
    }
}

impl<X: ThreadSafe + Clone> AnyLinks for LinkList<X> {
    fn stage(&self, relation: &mut Erased, spawns: Chunks<'_, Entity>) {
        let staged = relation.get_mut::<ManyToMany<X>>().staged_mut();
        for entities in spawns {
            staged.extend(self.links.iter().map(|([source, target], value)| Change {
                source: entities[*source as usize],
                target: entities[*target as usize],
                value: Some(value.clone()),
            }));
        }
    }

    fn len(&self) -> usize {
        self.links.len()
    }

    #[cfg(feature = "ron")]
    fn parents(&self) -> Option<&[[u32; 2]]> {
        None
    }

    fn cloned(&self) -> Box<dyn AnyLinks> {
        Box::new(self.clone())
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}
