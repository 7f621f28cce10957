//! The relations of a declaration, for what happens to all of them at a refresh, and for systems that go along one.

use crate::relations::{AnyRelation, Links, ManyToMany, Relation};
use crate::signature::{Declaration, HasResource};
use crate::types::{Erased, ThreadSafe};

/// Names a relation: the resource that is its links.
#[derive(Clone, Copy, Debug)]
pub struct RelationSignature {
    /// The index among the resources.
    pub(crate) resource: usize,
    /// The links, to write.
    pub(crate) relation_mut: fn(&mut Erased) -> &mut (dyn AnyRelation + 'static),
    /// The links, if each entity has at most one parent.
    ///
    /// # Safety
    /// Nothing may write the resource meanwhile.
    pub(crate) parents: Option<unsafe fn(&Erased) -> &Links>,
}

impl RelationSignature {
    /// The relation `X`, of one to many.
    #[must_use]
    pub const fn of<D: Declaration + HasResource<Relation<X>>, X: 'static>() -> Self {
        Self {
            resource: <D as HasResource<Relation<X>>>::INDEX,
            relation_mut: |relation| &mut relation.get_mut::<Relation<X>>().links,
            // SAFETY: by the contract.
            parents: Some(|relation| unsafe { &relation.get::<Relation<X>>().links }),
        }
    }

    /// The relation `X`, of many to many.
    #[must_use]
    pub const fn many_to_many<D: Declaration + HasResource<ManyToMany<X>>, X: ThreadSafe>() -> Self
    {
        Self {
            resource: <D as HasResource<ManyToMany<X>>>::INDEX,
            relation_mut: |relation| relation.get_mut::<ManyToMany<X>>(),
            parents: None,
        }
    }

    /// The signature of the relation with this resource.
    pub(crate) const fn find(all: &[Self], resource: usize) -> Option<&Self> {
        for_each!(r < all.len(), {
            if all[r].resource == resource {
                return Some(&all[r]);
            }
        });
        None
    }
}

/// Whether a system goes along a relation.
pub(crate) const fn any_after_parent(systems: &[crate::signature::SystemSignature]) -> bool {
    for_each!(s < systems.len(), {
        if !systems[s].declared.after_parent.is_empty() {
            return true;
        }
    });
    false
}

/// The declaration has the relation `X`, of one to many.
///
/// ```
/// use ecs_core::settings::Settings;
/// use ecs_core::{Entity, HasRelation, World, world};
/// struct ChildOf;
///
/// world! {
///     world Family;
///     relation ChildOf: one_to_many, on_despawn: detach;
/// }
///
/// fn root<D: HasRelation<ChildOf>, S: Settings>(world: &World<D, S>, mut of: Entity) -> Entity {
///     while let Some(parent) = world.parent::<ChildOf>(of) {
///         of = parent;
///     }
///     of
/// }
///
/// let mut world = World::<Family>::new();
/// let [ada, bea, cleo] = [(), (), ()].map(|()| world.spawn(()));
/// world.link::<ChildOf>(bea, ada)?;
/// world.link::<ChildOf>(cleo, bea)?;
/// assert_eq!(root(&world, cleo), ada);
/// # Ok::<_, ecs_core::StepError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "[ECS0160] `{X}` is not a one-to-many relation of the world `{Self}`",
    label = "unknown relation",
    note = "add `relation {X}: one_to_many, on_despawn: detach;` to the declaration of `{Self}`; or if it is `many_to_many` there, use `insert_link`, `targets` and `sources`"
)]
pub trait HasRelation<X: 'static>: HasResource<Relation<X>> {}

#[diagnostic::do_not_recommend]
impl<X: 'static, D: HasResource<Relation<X>>> HasRelation<X> for D {}

/// The declaration has the relation `X`, of many to many.
///
/// ```
/// use ecs_core::settings::Settings;
/// use ecs_core::{Entity, HasManyToMany, World, world};
/// struct Owes(u32);
///
/// world! {
///     world Bank;
///     relation Owes: many_to_many, on_despawn: forbid;
/// }
///
/// fn debts<D: HasManyToMany<Owes>, S: Settings>(world: &World<D, S>, of: Entity) -> u32 {
///     world.targets::<Owes>(of).map(|(_, owes)| owes.0).sum()
/// }
///
/// let mut world = World::<Bank>::new();
/// let [ada, bea, cleo] = [(), (), ()].map(|()| world.spawn(()));
/// world.insert_link(ada, bea, Owes(20))?;
/// world.insert_link(ada, cleo, Owes(70))?;
/// assert_eq!(debts(&world, ada), 90);
/// # Ok::<_, ecs_core::StepError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "[ECS0145] `{X}` is not a many-to-many relation of the world `{Self}`",
    label = "unknown relation",
    note = "add `relation {X}: many_to_many, on_despawn: detach;` to the declaration of `{Self}`; or if it is `one_to_many` there, use `link`, `parent` and `children`"
)]
pub trait HasManyToMany<X: ThreadSafe>: HasResource<ManyToMany<X>> {}

#[diagnostic::do_not_recommend]
impl<X: ThreadSafe, D: HasResource<ManyToMany<X>>> HasManyToMany<X> for D {}
