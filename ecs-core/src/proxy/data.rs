//! The data proxy: the view of a subtask (thesis, 11.1).

use core::ops::{Deref, DerefMut};

use crate::entity::{Entity, Locate};
use crate::proxy::query::QueryFor;
use crate::proxy::{AnyMut, Query, query};
use crate::signature::access::{Exclusive, SliceDependent};
use crate::signature::{Data, Declaration, Effects, Item, Own, SystemName};

impl<'w, D: Declaration, N: SystemName<D>> Data<'w, D, N> {
    /// The subtask's entities, and everything else, side by side.
    pub fn split(&mut self) -> (&mut Own<'w, D, N>, &mut Effects<'w, D, N>) {
        (&mut self.own, &mut self.effects)
    }

    /// Calls `f` for each entity of this subtask: [`Own::for_entities`].
    #[inline(always)]
    pub fn for_entities(&mut self, f: impl FnMut(N::Entry<'_>)) {
        self.own.for_entities(f);
    }

    /// iter
    #[inline(always)]
    pub fn iter(&mut self) -> query::Entries<'_, D, N> {
        self.own.iter()
    }

    /// Calls `f` for each entity of this subtask, with the subtask's effects. It is
    /// [`for_entities`](Self::for_entities) for bodies that also despawn entities, fill an output or read resources.
    /// O(entities).
    ///
    /// ```
    /// # use ecs_core::{World, world};
    /// # struct Fuel(f32);
    /// # #[derive(Default)]
    /// # struct Rate(f32);
    /// world! {
    ///     world Rockets;
    ///     component Fuel;
    ///     resource Rate = Rate(0.5);
    ///     system Burn { write: [Fuel], read_resources: [Rate], despawn, run: burn }
    /// }
    ///
    /// fn burn(data: &mut ecs_core::Data<'_, Rockets, Burn>) {
    ///     data.for_entities_with_effects(|rocket, effects| {
    ///         rocket.fuel.0 -= effects.resource::<Rate>().0;
    ///         if rocket.fuel.0 <= 0.0 {
    ///             effects.despawn(rocket.entity);
    ///         }
    ///     });
    /// }
    ///
    /// let mut world = World::<Rockets>::new();
    /// let [small, large] = [1.0, 2.0].map(|fuel| world.spawn((Fuel(fuel),)));
    /// world.tick()?;
    /// world.tick()?;
    /// assert!(!world.is_alive(small) && world.is_alive(large));
    /// # Ok::<_, ecs_core::StepError>(())
    /// ```
    #[inline(always)]
    pub fn for_entities_with_effects(
        &mut self,
        mut f: impl FnMut(N::Entry<'_>, &mut Effects<'w, D, N>),
    ) {
        let (own, effects) = self.split();
        own.for_entities(|entry| f(entry, effects));
    }

    /// Calls `f`: what `run: f` in a declaration becomes. The types of a closure's parameters are inferred.
    #[doc(hidden)]
    #[inline(always)]
    pub fn run(&mut self, f: impl FnOnce(&mut Self)) {
        f(self);
    }

    /// The entities of this subtask with chosen components: [`Own::query`].
    #[inline(always)]
    pub fn query<Q: QueryFor<D, N>>(&mut self) -> Query<'_, D, N, Q> {
        const { query::assert_allowed::<D, N, Q>() };
        // SAFETY: the constant above shows it.
        unsafe { self.own.validated_query() }
    }

    /// The number of entities that the system is subscribed to, over all subtasks. O(1).
    #[must_use]
    pub fn all_entity_count(&self) -> usize {
        self.own.all_entity_count()
    }

    /// Calls `f` with each entity that the system is subscribed to: [`Own::for_all_entities`].
    pub fn for_all_entities(&self, f: impl FnMut(Entity)) {
        self.own.for_all_entities(f);
    }

    /// The number of entities of this subtask. O(1).
    #[must_use]
    pub fn entity_count(&self) -> usize
    where
        N: SliceDependent<D>,
    {
        self.own.entity_count()
    }

    /// The number of entities of the other subtasks. O(1).
    #[must_use]
    pub fn other_entity_count(&self) -> usize
    where
        N: SliceDependent<D>,
    {
        self.own.other_entity_count()
    }

    /// Calls `f` with each entity of the other subtasks: [`Own::for_other_entities`].
    pub fn for_other_entities(&self, f: impl FnMut(Entity))
    where
        N: SliceDependent<D>,
    {
        self.own.for_other_entities(f);
    }

    /// Access to chosen components of every entity that the system is subscribed to: [`Own::any_mut`].
    #[inline]
    pub fn any_mut<Q: QueryFor<D, N>>(&mut self) -> AnyMut<'_, D, Q>
    where
        N: Exclusive<D>,
    {
        self.own.any_mut()
    }

    /// Chosen components of any entity that the system is subscribed to; `None` if it is not subscribed to this
    /// one, or the entity is not alive. O(1).
    #[inline]
    pub fn get_mut<Q: QueryFor<D, N>>(&mut self, entity: impl Locate) -> Option<Item<'_, Q, D>>
    where
        N: Exclusive<D>,
    {
        self.any_mut::<Q>().into_one(entity)
    }

    /// Chosen components of two entities at once; `None` also if they are the same entity. O(1).
    #[inline]
    pub fn pair_mut<Q: QueryFor<D, N>>(
        &mut self,
        first: impl Locate,
        second: impl Locate,
    ) -> Option<(Item<'_, Q, D>, Item<'_, Q, D>)>
    where
        N: Exclusive<D>,
    {
        self.any_mut::<Q>().into_pair(first, second)
    }
}

impl<'w, D: Declaration, N: SystemName<D>> Deref for Data<'w, D, N> {
    type Target = Effects<'w, D, N>;

    fn deref(&self) -> &Self::Target {
        &self.effects
    }
}

impl<D: Declaration, N: SystemName<D>> DerefMut for Data<'_, D, N> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.effects
    }
}
