//! *Families*: what spawns the children of a template of the declaration.
//!
//! A template knows its children by their types. It names them to one of these traits, whose implementations spawn them where their
//! parents were spawned: at once, or staged by a system, with its rights.

use super::access::{Links, SpawnedBy};
use super::{Bundle, Declaration, HasRelation, HasResource, SystemName, undeclared};
use crate::relations::Relation;

/// Spawns children of entities that were spawned at once.
#[doc(hidden)]
pub trait Family<D: Declaration> {
    /// Entities that were spawned together.
    type Parents: Copy;

    /// Spawns `count` children with `B` for each of these entities, one parent after the other, links them, and then spawns
    /// their own children.
    fn spawn<X: 'static, B: Bundle<D> + Default>(&mut self, parents: Self::Parents, count: usize)
    where
        D: HasRelation<X>;
}

/// Spawns children of entities that the system `N` has spawned or staged.
#[doc(hidden)]
pub trait FamilyBy<N, D: Declaration> {
    /// Entities that were spawned together.
    type Parents: Copy;

    /// As [`Family::spawn`].
    fn spawn<X: 'static, B: SpawnedBy<N, D> + Default>(
        &mut self,
        parents: Self::Parents,
        count: usize,
    ) where
        D: HasRelation<X>,
        N: Links<X, D>;
}

/// The index of the relation among the resources.
pub(crate) const fn relation_of<D: HasRelation<X>, X: 'static>() -> usize {
    let index = <D as HasResource<Relation<X>>>::INDEX;
    assert!(index < D::RESOURCES.len(), "[ECS0070] the index of a resource is out of range");
    index
}

/// Fails to compile unless the table lets the system `N` change the links of the relation.
pub(crate) const fn assert_links<D: HasRelation<X>, N: SystemName<D>, X: 'static>() {
    let relation = relation_of::<D, X>();
    if !ecs_rules::contains_any(&[D::SYSTEMS[N::INDEX].declared.link], relation) {
        undeclared::<D, N>("change the links of", D::RESOURCES[relation].name());
    }
}
