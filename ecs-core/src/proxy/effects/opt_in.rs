//! Manual subscriptions to opt-in systems.

use crate::entity::Entity;
use crate::proxy::{Defer, NoSuchEntity};
use crate::signature::{Declaration, SystemName, validate_opt_in};

impl<D: Declaration> Defer<'_, D> {
    /// Subscribes the opt-in system `N` to the entity, from the next refresh on. Amortized O(1).
    ///
    /// The refresh subscribes it if the entity is alive then and has what `N` requires. The subscription lasts
    /// until the entity is [unsubscribed](Self::unsubscribe), despawned, or does not match any more; after that
    /// it must be subscribed again. Matching is checked at a refresh, and where a step begins an execution. So
    /// a component can be removed and inserted again within a step, unless the step has executed systems in
    /// between: then the subscription is lost. Of several calls for one entity the last one counts. It does not
    /// compile if `N` does not declare `opt_in`.
    ///
    /// # Errors
    /// If the entity is not alive.
    ///
    /// ```
    /// # use ecs_core::{World, world};
    /// # struct Health(u32);
    /// world! {
    ///     world Ward;
    ///     component Health;
    ///     system Watch { opt_in, each: |health: &mut Health| health.0 += 1 }
    /// }
    ///
    /// let mut world = World::<Ward>::new();
    /// let [one, other] = [(); 2].map(|()| world.spawn((Health(0),)));
    /// world.step(|step| step.subscribe::<Watch>(one)).unwrap().unwrap();
    /// world.tick().unwrap();
    /// assert_eq!([one, other].map(|entity| world.get::<Health>(entity).unwrap().0), [1, 0]);
    /// ```
    pub fn subscribe<N: SystemName<D>>(&mut self, entity: Entity) -> Result<(), NoSuchEntity> {
        const { validate_opt_in::<D, N>() };
        self.request::<N>(entity, true)
    }

    /// Unsubscribes the opt-in system `N` from the entity, from the next refresh on. Amortized O(1).
    ///
    /// # Errors
    /// If the entity is not alive.
    pub fn unsubscribe<N: SystemName<D>>(&mut self, entity: Entity) -> Result<(), NoSuchEntity> {
        const { validate_opt_in::<D, N>() };
        self.request::<N>(entity, false)
    }

    fn request<N: SystemName<D>>(
        &mut self,
        entity: Entity,
        subscribe: bool,
    ) -> Result<(), NoSuchEntity> {
        self.core.storage.entities.row(entity).ok_or(NoSuchEntity {
            entity,
            cause: if subscribe {
                const { &(D::SYSTEMS[N::INDEX].name(), "subscribed to") }
            } else {
                const { &(D::SYSTEMS[N::INDEX].name(), "unsubscribed from") }
            },
        })?;
        self.core.subscriptions[N::INDEX].requests.push((entity, subscribe));
        Ok(())
    }

    /// Whether the system `N` is subscribed to the entity. This changes at a refresh, and at the beginning of
    /// an execution, which may end the subscription. O(1).
    #[must_use]
    pub fn is_subscribed<N: SystemName<D>>(&self, entity: Entity) -> bool {
        let row = self.core.storage.entities.row(entity);
        row.is_some_and(|row| self.core.subscriptions[N::INDEX].set.contains(row))
    }
}
