//! Relations, from outside of steps.

use super::World;
use crate::changes::StepError;
use crate::entity::Entity;
use crate::relations::{Children, Refused};
use crate::scheduling::settings::Settings;
use crate::signature::{Declaration, HasRelation};

impl<D: Declaration, S: Settings> World<D, S> {
    /// Makes `parent` the parent of `child` in the relation `X`. This is a step of its own; for many links, one
    /// [`step`](Self::step) for all of them is faster by far.
    ///
    /// O(entities whose level changes): of `child` and its descendants, unless its new parent has as many ancestors as the old
    /// one. To that comes, for each of these, a search among its siblings and among the entities of its level, in words of 64 rows.
    ///
    /// ```
    /// # use ecs_core::{World, world};
    /// struct ChildOf;
    ///
    /// world! {
    ///     world Family;
    ///     relation ChildOf: one_to_many, on_despawn: detach;
    /// }
    ///
    /// let mut world = World::<Family>::new();
    /// let [ada, bea, cleo] = [(), (), ()].map(|()| world.spawn(()));
    /// world.link::<ChildOf>(bea, ada)?;
    /// assert!(world.link::<ChildOf>(bea, cleo).is_err(), "a second parent");
    /// world.relink::<ChildOf>(bea, cleo)?;
    /// assert_eq!(world.parent::<ChildOf>(bea), Some(cleo));
    /// assert_eq!(world.children::<ChildOf>(ada).len(), 0);
    /// world.unlink::<ChildOf>(bea);
    /// assert_eq!(world.parent::<ChildOf>(bea), None);
    /// # Ok::<_, ecs_core::StepError>(())
    /// ```
    ///
    /// # Errors
    /// If the link is refused: one of the two is not alive, `child` has another parent, or is an ancestor of `parent`.
    pub fn link<X: 'static>(&mut self, child: Entity, parent: Entity) -> Result<(), StepError>
    where
        D: HasRelation<X>,
    {
        self.step(|step| step.link::<X>(child, parent))
    }

    /// Makes `parent` the parent of `child` in the relation `X`, whatever parent that has: as [`link`](Self::link).
    ///
    /// # Errors
    /// If the link is refused: one of the two is not alive, or `child` is an ancestor of `parent`.
    pub fn relink<X: 'static>(&mut self, child: Entity, parent: Entity) -> Result<(), StepError>
    where
        D: HasRelation<X>,
    {
        self.step(|step| step.relink::<X>(child, parent))
    }

    /// Ends the link of `child` to its parent in the relation `X`, if it has one. Complexity as of [`link`](Self::link).
    pub fn unlink<X: 'static>(&mut self, child: Entity)
    where
        D: HasRelation<X>,
    {
        self.edit(|edit| edit.unlink::<X>(child));
    }

    /// The parent of the entity in the relation `X`, if it has one. O(1).
    #[must_use]
    pub fn parent<X: 'static>(&self, of: Entity) -> Option<Entity>
    where
        D: HasRelation<X>,
    {
        self.core.parent::<X>(of)
    }

    /// The children of the entity in the relation `X`, in the order of iteration. O(1).
    #[must_use]
    pub fn children<X: 'static>(&self, of: Entity) -> Children<'_>
    where
        D: HasRelation<X>,
    {
        self.core.children::<X>(of)
    }

    /// What the last step has refused for the sake of the relation `X`, in the order in which it was staged; of several refreshes,
    /// one after the other. O(1).
    ///
    /// ```
    /// # use ecs_core::{Refused, World, world};
    /// struct ChildOf;
    ///
    /// world! {
    ///     world Family;
    ///     relation ChildOf: one_to_many, on_despawn: forbid;
    /// }
    ///
    /// let mut world = World::<Family>::new();
    /// let [ada, bea] = [(), ()].map(|()| world.spawn(()));
    /// world.link::<ChildOf>(bea, ada)?;
    /// assert!(world.step(|step| step.despawn(ada)).is_err());
    /// assert_eq!(world.refused::<ChildOf>(), [Refused::Despawn { entity: ada, child: bea }]);
    /// world.step(|step| [ada, bea].map(|one| step.despawn(one)))?;
    /// assert_eq!(world.entity_count(), 0);
    /// # Ok::<_, ecs_core::StepError>(())
    /// ```
    #[must_use]
    pub fn refused<X: 'static>(&self) -> &[Refused]
    where
        D: HasRelation<X>,
    {
        self.core.refused::<X>()
    }
}
