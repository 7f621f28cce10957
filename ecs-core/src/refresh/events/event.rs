//! The argument of an event's function.

use core::marker::PhantomData;

use crate::entity::Entity;
use crate::signature::{Declaration, HasComponent, HasResource, SystemName};
use crate::state::Core;
use crate::types::Brand;

/// The types of events.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Unsubscribed,
    Reclaimed,
    Subscribed,
}

/// An event, before its handler is known.
#[doc(hidden)]
#[derive(Debug)]
pub struct Happened<'a, D: Declaration> {
    pub(super) core: &'a mut Core<D>,
    pub(super) kind: Kind,
    /// Without meaning for a reclaimed entity.
    pub(super) system: usize,
    pub(super) entity: Entity,
}

impl<D: Declaration> Happened<'_, D> {
    /// As an event of the system `N`, or of none.
    pub(super) fn event<N>(&mut self) -> Event<'_, D, N> {
        Event { core: self.core, entity: self.entity, system: PhantomData }
    }
}

/// An entity was subscribed to the system `N`, or unsubscribed from it; or, without a system, it was
/// reclaimed.
///
/// Structural changes have to wait for the next step; everything else is accessible.
///
/// ```
/// # use ecs_core::{World, events::Events, world};
/// # struct Cargo(u32);
/// # #[derive(Default)]
/// # struct Lost(u32);
/// world! {
///     world Sea;
///     component Cargo;
///     resource Lost;
///     system Sail { read: [Cargo], with: [Cargo], run: |_| {} }
/// }
///
/// let mut world = World::<Sea>::new();
/// let ship = world.spawn((Cargo(5),));
/// // A removed component is gone; the entity and everything else is there.
/// let events = Events::new().on_unsubscribe::<Sail>(|event| {
///     assert!(event.is_alive() && event.get::<Cargo>().is_none());
///     event.resource_mut::<Lost>().0 += 1;
/// });
/// world.step_with(events, |step| step.remove::<Cargo>(ship))?;
/// assert_eq!(world.resource::<Lost>().0, 1);
/// # Ok::<_, ecs_core::StepError>(())
/// ```
#[derive(Debug)]
pub struct Event<'a, D: Declaration, N = ()> {
    core: &'a mut Core<D>,
    entity: Entity,
    system: Brand<N>,
}

impl<D: Declaration, N> Event<'_, D, N> {
    /// The entity. It is despawned if it was reclaimed, in this refresh or before.
    #[must_use]
    pub fn entity(&self) -> Entity {
        self.entity
    }

    /// Whether the entity is alive.
    #[must_use]
    pub fn is_alive(&self) -> bool {
        self.core.storage.entities.row(self.entity).is_some()
    }

    /// The entity's component; `None` if it has none or is despawned. O(1).
    #[must_use]
    pub fn get<C: 'static>(&self) -> Option<&C>
    where
        D: HasComponent<C>,
    {
        self.core.storage.get::<D, C>(self.core.storage.entities.handles().row(self.entity)?)
    }

    /// The entity's component, to write; `None` if it has none or is despawned. O(1).
    #[must_use]
    pub fn get_mut<C: 'static>(&mut self) -> Option<&mut C>
    where
        D: HasComponent<C>,
    {
        let row = self.core.storage.entities.handles().row(self.entity)?;
        self.core.storage.get_mut::<D, C>(row)
    }

    /// The resource `R`.
    #[must_use]
    pub fn resource<R: 'static>(&self) -> &R
    where
        D: HasResource<R>,
    {
        self.core.resources.get::<D, R>()
    }

    /// The resource `R`, to write.
    #[must_use]
    pub fn resource_mut<R: 'static>(&mut self) -> &mut R
    where
        D: HasResource<R>,
    {
        self.core.resources.get_mut::<D, R>()
    }
}

impl<D: Declaration, N: SystemName<D>> Event<'_, D, N> {
    /// The system's state.
    #[must_use]
    pub fn system(&self) -> &N::System {
        self.core.system::<N>()
    }

    /// The system's state, to write.
    #[must_use]
    pub fn system_mut(&mut self) -> &mut N::System {
        self.core.system_mut::<N>()
    }
}
