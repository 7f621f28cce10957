//! Iterators over the entities of a world: in a step, and in deferred functions.

use crate::proxy::query::{HandsOutOnce, Living, assert_marks};
use crate::signature::{Declaration, QueryTerms};
use crate::state::Defer;

impl<D: Declaration> Defer<'_, D> {
    /// The entities that have what `Q` requires, in ascending order of rows, with the filters of
    /// [`World::iter`](crate::World::iter). What the step has changed shows, except that despawned entities stay until the refresh.
    /// O(entities + rows in use / 64 × components that are required or filtered by).
    ///
    /// ```
    /// # use ecs_core::{Entity, World, world};
    /// # struct Mass(u32);
    /// # struct Frozen;
    /// world! {
    ///     world Sky;
    ///     component Mass;
    ///     component Frozen: empty;
    /// }
    ///
    /// let mut world = World::<Sky>::new();
    /// world.spawn_batch((1..=3).map(|n| (Mass(n),)));
    /// world.step(|step| {
    ///     step.spawn((Mass(8), Frozen));
    ///     for mass in step.iter_mut::<&mut Mass>().without::<Frozen>() {
    ///         mass.0 *= 10;
    ///     }
    ///     let light = |(entity, mass): (Entity, &Mass)| (mass.0 < 10).then_some(entity);
    ///     let light: Vec<Entity> = step.iter::<(Entity, &Mass)>().filter_map(light).collect();
    ///     light.into_iter().for_each(|entity| step.despawn(entity));
    /// }).unwrap();
    /// assert!(world.iter::<&Mass>().map(|mass| mass.0).eq([10, 20, 30]));
    /// ```
    ///
    /// It does not compile if `Q` writes ([`ECS0078`](crate::errors::ecs0078)): that is
    /// [`iter_mut`](Self::iter_mut).
    #[inline]
    pub fn iter<Q: QueryTerms<D>>(&self) -> Living<'_, D, Q> {
        const {
            assert!(
                Q::WRITES.is_empty(),
                "[ECS0078] `Defer::iter` only reads\nhelp: use `iter_mut` to write"
            );
        };
        // SAFETY: `Q` only reads, so it is free of aliases. `&self` is shared access to the whole world, in which no system
        // runs, so there is no writer.
        unsafe { Living::over(&self.core.storage) }
    }

    /// As [`iter`](Self::iter), which has an example; `Q` may ask for `&mut C` and `Option<&mut C>`, too.
    ///
    /// It does not compile if `Q` asks for a component twice, once to write.
    #[inline]
    pub fn iter_mut<Q: QueryTerms<D> + HandsOutOnce<D>>(&mut self) -> Living<'_, D, Q> {
        const {
            assert!(
                Q::ALIAS_FREE,
                "[ECS0072] a query must not hand out a component twice if it can be written"
            );
            assert_marks::<D, Q>(None);
        };
        // SAFETY: the constant above; `&mut self` is exclusive access to the whole world.
        unsafe { Living::over(&self.core.storage) }
    }
}
