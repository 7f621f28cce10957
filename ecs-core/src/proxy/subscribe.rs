//! Subscribing by hand, to opt-in systems.

use super::{Dead, Defer};
use crate::entity::Entity;
use crate::signature::{Declaration, SystemName, validate_opt_in};

impl<D: Declaration> Defer<'_, D> {
    /// Has the opt-in system `N` be subscribed to the entity, from the next refresh on. Amortized O(1).
    ///
    /// The refresh does so if the entity is alive then, and has what `N` requires. It stays subscribed until
    /// it is [unsubscribed](Self::unsubscribe), dies, or does not match any more; what it lost then it has
    /// to subscribe for again. That is looked at where subscriptions are: at a refresh, and where a step begins an
    /// execution. So a component that is taken and given back within a step costs nothing, unless the step has
    /// executed systems in between: then the subscription is lost. Of several calls for one entity the last one counts. It does not compile if
    /// `N` does not declare `opt_in`.
    ///
    /// # Errors
    /// If the entity is dead.
    ///
    /// ```
    /// # use ecs_core::{Data, System, World, world};
    /// # struct Health(u32);
    /// world! {
    ///     world Ward;
    ///     component Health: contiguous_buffer;
    ///     system Watch { opt_in, write: [Health] }
    /// }
    /// # #[derive(Default)] struct Watch;
    /// # impl System<Ward> for Watch {
    /// #     fn process(&self, data: &mut Data<'_, Ward, Self>) { data.for_entities(|e| e.health.0 += 1); }
    /// # }
    /// let mut world = World::<Ward>::new();
    /// let [one, other] = world.step(|step| [(); 2].map(|()| step.spawn((Health(0),)).unwrap())).unwrap();
    /// world.step(|step| step.subscribe::<Watch>(one)).unwrap().unwrap();
    /// world.step(|step| step.execute_systems().run()).unwrap();
    /// assert_eq!([one, other].map(|entity| world.get::<Health>(entity).unwrap().0), [1, 0]);
    /// ```
    pub fn subscribe<N: SystemName<D>>(&mut self, entity: Entity) -> Result<(), Dead> {
        const { validate_opt_in::<D, N>() };
        self.request::<N>(entity, true)
    }

    /// Has the opt-in system `N` let go of the entity, from the next refresh on. Amortized O(1).
    ///
    /// # Errors
    /// If the entity is dead.
    pub fn unsubscribe<N: SystemName<D>>(&mut self, entity: Entity) -> Result<(), Dead> {
        const { validate_opt_in::<D, N>() };
        self.request::<N>(entity, false)
    }

    fn request<N: SystemName<D>>(&mut self, entity: Entity, subscribe: bool) -> Result<(), Dead> {
        self.core.storage.entities.row(entity).ok_or(Dead(entity))?;
        self.core.subscriptions[N::INDEX].requests.push((entity, subscribe));
        Ok(())
    }

    /// Whether the system `N` is subscribed to the entity: since the last refresh, or since an execution
    /// after it has let go of it. O(1).
    #[must_use]
    pub fn is_subscribed<N: SystemName<D>>(&self, entity: Entity) -> bool {
        let row = self.core.storage.entities.row(entity);
        row.is_some_and(|row| self.core.subscriptions[N::INDEX].set.members().contain(row))
    }
}
