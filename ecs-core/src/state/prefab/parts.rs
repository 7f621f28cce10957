//! The components and relations that prefabs of a declaration have. Generated code lists them, as it knows their types.
//!
//! In generated code, `<PrefabValue<Self, C>>::PART` is the inherent constant of the type if `C` is `Clone`, and else that of the trait
//! [`NoPart`]. In the same way, `PrefabHandles` has an inherent constant if `C` is [`MapEntities`](trait@MapEntities).

use super::links::{AnyLinks, LinkList, ParentList};
use crate::changes::Template;
use crate::entity::{Entities, Entity, MapEntities};
use crate::relations::{ManyToMany, Relation};
use crate::signature::{Declaration, HasComponent, HasManyToMany, HasRelation, HasResource};
use crate::state::{Resources, opaque_debug};
use crate::storage::Storage;
use crate::types::component::Component;
use crate::types::{Brand, ThreadSafe};

/// A function from each handle to the one that takes its place.
type Map<'a> = &'a mut dyn FnMut(Entity) -> Entity;

/// Replaces the handles in a component of a template.
pub(super) type InTemplate<D> = fn(&mut Template<D>, Map<'_>);

/// Replaces the handles in a component of a row.
pub(super) type InStorage = fn(&mut Storage, usize, Map<'_>);

/// Copies the links of a relation that lead from one of these entities to another. The function gives the numbers of these entities.
type TakeLinks = fn(
    &Resources,
    &Entities,
    &[Entity],
    &dyn Fn(Entity) -> Option<u32>,
) -> Option<Box<dyn AnyLinks>>;

/// A component or a relation of the declaration `D`, in prefabs.
pub struct PrefabPart<D: Declaration>(pub(super) Part<D>);

pub(super) enum Part<D: Declaration> {
    /// Copies the value of a component, if the row has one.
    Value { take: fn(&Storage, usize, &mut Template<D>) },
    /// A component with handles.
    Handles { component: usize, in_template: InTemplate<D>, in_storage: InStorage },
    /// A relation, by the index of its resource.
    Links { resource: usize, take: TakeLinks },
}

opaque_debug! { [D: Declaration] PrefabPart<D>: |this| is_handles = matches!(this.0, Part::Handles { .. }) }

/// Stands for the values of the component `C`.
#[derive(Debug)]
pub struct PrefabValue<D, C>(Brand<(D, C)>);

/// Stands for the handles in the component `C`.
#[derive(Debug)]
pub struct PrefabHandles<D, C>(Brand<(D, C)>);

/// Stands for the links of the relation `X`.
#[derive(Debug)]
pub struct PrefabLinks<D, X>(Brand<(D, X)>);

/// The constants of types whose values or links are in no prefab.
pub trait NoPart<D: Declaration> {
    /// None.
    const PART: Option<PrefabPart<D>> = None;
    /// None.
    const PART_OF_MANY: Option<PrefabPart<D>> = None;
}

impl<D: Declaration, C> NoPart<D> for PrefabValue<D, C> {}
impl<D: Declaration, C> NoPart<D> for PrefabHandles<D, C> {}
impl<D: Declaration, X> NoPart<D> for PrefabLinks<D, X> {}

impl<D: HasComponent<C>, C: Component + Clone> PrefabValue<D, C> {
    /// Clones the value.
    pub const PART: Option<PrefabPart<D>> = Some(PrefabPart(Part::Value {
        take: |storage, row, to| {
            if let Some(value) = storage.get::<D, C>(row) {
                to.insert(value.clone());
            }
        },
    }));
}

impl<D: HasComponent<C>, C: MapEntities + 'static> PrefabHandles<D, C> {
    /// Replaces the handles by `MapEntities`.
    pub const PART: Option<PrefabPart<D>> = Some(PrefabPart(Part::Handles {
        component: <D as HasComponent<C>>::INDEX,
        in_template: |template, map| {
            if let Some(value) = template.get_mut::<C>() {
                value.map_entities(map);
            }
        },
        in_storage: |storage, row, map| {
            if let Some(value) = storage.get_mut::<D, C>(row) {
                value.map_entities(map);
            }
        },
    }));
}

impl<D: HasRelation<X>, X: 'static> PrefabLinks<D, X> {
    /// The links of a relation of one to many.
    pub const PART: Option<PrefabPart<D>> = Some(PrefabPart(Part::Links {
        resource: <D as HasResource<Relation<X>>>::INDEX,
        take: ParentList::taken::<D, X>,
    }));
}

impl<D: HasManyToMany<X>, X: ThreadSafe + Clone> PrefabLinks<D, X> {
    /// The links of a relation of many to many.
    pub const PART_OF_MANY: Option<PrefabPart<D>> = Some(PrefabPart(Part::Links {
        resource: <D as HasResource<ManyToMany<X>>>::INDEX,
        take: LinkList::<X>::taken::<D>,
    }));
}
