//! One match that `roll` visits.

use super::{Now, fetch};
use crate::entity::Entity;
use crate::proxy::query;
use crate::proxy::query::QueryFor;
use crate::random::Random;
use crate::signature::access::Draws;
use crate::signature::{Declaration, Item, SystemName};

/// An entity of the sequential system `N` that matches when it is visited (Core ECS, 3.5).
///
/// It gives access to the components. For changes of component presence, it is converted into the [current
/// state of the world](Self::now).
///
/// ```
/// # use ecs_core::{World, world};
/// # struct Size(u32);
/// world! {
///     world Sea;
///     component Size;
///     system Split {
///         sequential,
///         write: [Size],
///         spawn: [Size],
///         run: |data| data.roll(|mut fish| {
///             let half = fish.entry().size.0 / 2;
///             fish.entry().size.0 -= half;
///             fish.now().spawn((Size(half),));
///         }),
///     }
/// }
/// let mut world = World::<Sea>::new();
/// let fish = world.spawn((Size(5),));
/// world.tick()?;
/// assert_eq!((world.get::<Size>(fish).unwrap().0, world.entity_count()), (3, 2));
/// # Ok::<_, ecs_core::StepError>(())
/// ```
pub struct Match<'m, D: Declaration, N: SystemName<D>> {
    now: Now<'m, D, N>,
    row: usize,
}

impl<'m, D: Declaration, N: SystemName<D>> Match<'m, D, N> {
    /// The entity in the row. `now` is private, and moves out by [`now`](Self::now) only, so the row matches
    /// until then.
    ///
    /// # Safety
    /// The row must be one of the world of `now`, and match what the system demands.
    pub(super) unsafe fn new(now: Now<'m, D, N>, row: usize) -> Self {
        Self { now, row }
    }

    /// The entity.
    #[must_use]
    pub fn entity(&self) -> Entity {
        self.now.storage().entities.rows()[self.row]
    }

    /// The entity, with a named reference to each component that the system reads or writes.
    pub fn entry(&mut self) -> N::Entry<'_> {
        const { query::assert_rights::<D, N, N::Terms>() };
        // SAFETY: the row matches, and the entry has borrowed `self`, which has `now`.
        N::entry(unsafe { fetch::<D, N::Terms>(self.now.storage(), self.row) })
    }

    /// Chosen components of the entity.
    pub fn get<Q: QueryFor<D, N>>(&mut self) -> Item<'_, Q, D> {
        const { query::assert_rights::<D, N, Q>() };
        // SAFETY: as above.
        unsafe { fetch::<D, Q>(self.now.storage(), self.row) }
    }

    /// The random numbers of the entity: [`Effects::random`](crate::Effects::random).
    #[must_use]
    pub fn random(&self) -> Random
    where
        N: Draws<D>,
    {
        self.now.random(self.entity())
    }

    /// The current state of the world, to change it. After that the entity may no longer match.
    #[must_use]
    pub fn now(self) -> Now<'m, D, N> {
        self.now
    }
}
