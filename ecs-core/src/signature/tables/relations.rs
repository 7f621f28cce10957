//! The relations of a declaration, for what happens to all of them at a refresh, and for systems that go along one.

use crate::relations::{Links, Relation};
use crate::signature::{Declaration, HasResource};
use crate::types::Erased;

/// Names a relation: the resource that is its links.
#[derive(Clone, Copy, Debug)]
pub struct RelationSignature {
    /// The index among the resources.
    pub(crate) resource: usize,
    /// The links.
    ///
    /// # Safety
    /// Nothing may write the resource meanwhile.
    pub(crate) links: unsafe fn(&Erased) -> &Links,
    /// The links, to write.
    pub(crate) links_mut: fn(&mut Erased) -> &mut Links,
}

impl RelationSignature {
    /// The relation `X`.
    #[must_use]
    pub const fn of<D: Declaration + HasResource<Relation<X>>, X: 'static>() -> Self {
        Self {
            resource: <D as HasResource<Relation<X>>>::INDEX,
            // SAFETY: by the contract.
            links: |relation| unsafe { &relation.get::<Relation<X>>().links },
            links_mut: |relation| &mut relation.get_mut::<Relation<X>>().links,
        }
    }

    /// The signature of the relation with this resource.
    pub(crate) fn find(all: &[Self], resource: usize) -> Option<&Self> {
        all.iter().find(|relation| relation.resource == resource)
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

/// The declaration has the relation `X`.
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
    message = "[ECS0160] `{X}` is not a relation of the world `{Self}`",
    label = "unknown relation",
    note = "add `relation {X}: one_to_many, on_despawn: detach;` to the declaration of `{Self}`"
)]
pub trait HasRelation<X: 'static>: HasResource<Relation<X>> {}

#[diagnostic::do_not_recommend]
impl<X: 'static, D: HasResource<Relation<X>>> HasRelation<X> for D {}
