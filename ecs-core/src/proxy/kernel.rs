//! Kernels: system bodies that get whole slices of columns (thesis, 13.1).

use crate::proxy::{Data, Own};
use crate::query::{self, QueryFor, Run, RunTerms};
use crate::signature::{Declaration, SystemName};

impl<D: Declaration, N: SystemName<D>> Own<'_, D, N> {
    /// Calls `f` for each run of contiguous rows of this subtask, with a slice of each component that
    /// `Q` asks for: `&C` gives a `&[C]`, `&mut C` a `&mut [C]`, `Entity` a `&[Entity]`. All slices of a
    /// run have one length and are not empty. O(entities) and what `f` does.
    ///
    /// For what needs more than one entity at a time: instructions for vectors, and functions that take slices; and for
    /// systems that stage something, whose bodies for each entity are not vectorised. The rights are those of a query; what
    /// the system reads or writes must lie in a `contiguous_buffer` of its own.
    ///
    /// Runs come in ascending order of rows and together are all of the subtask's entities. A run
    /// ends at a gap, at the end of a page ([`PAGE_ROWS`](crate::PAGE_ROWS) rows) and at the end of the
    /// slice, so where runs end depends on how the system is split: what is computed should follow
    /// from the elements one by one.
    ///
    /// ```
    /// # use ecs_core::{Data, System, World, world};
    /// # struct Position(f32);
    /// # struct Velocity(f32);
    /// # world! {
    /// #     world Line {}
    /// #     component Position: contiguous_buffer;
    /// #     component Velocity: contiguous_buffer;
    /// #     system Move { read: [Velocity], write: [Position] }
    /// # }
    /// # #[derive(Default)]
    /// # struct Move;
    /// impl System<Line> for Move {
    ///     fn process(&self, data: &mut Data<'_, Line, Self>) {
    ///         data.for_runs::<(&Velocity, &mut Position)>(|(velocities, positions)| {
    ///             for (position, velocity) in positions.iter_mut().zip(velocities) {
    ///                 position.0 += velocity.0;
    ///             }
    ///         });
    ///     }
    /// }
    /// # let mut world = World::<Line>::new();
    /// # let disc = world.step(|step| step.spawn((Position(1.0), Velocity(0.5)))).unwrap().unwrap();
    /// # world.step(|step| step.execute_systems().run()).unwrap();
    /// # assert_eq!(world.get::<Position>(disc).unwrap().0, 1.5);
    /// ```
    #[inline(always)]
    pub fn for_runs<Q: QueryFor<D, N> + RunTerms<D>>(&mut self, f: impl FnMut(Run<'_, Q, D>)) {
        const { query::assert_allowed::<D, N, Q>() };
        const { query::assert_columns::<D, Q>(N::INDEX) };
        // SAFETY: the constants above show it.
        unsafe { self.validated_runs::<Q>(f) };
    }

    /// As [`for_runs`](Self::for_runs), for who has validated it already.
    ///
    /// # Safety
    /// `query::assert_allowed::<D, N, Q>` and `query::assert_columns::<D, Q>` must have been evaluated.
    #[inline(always)]
    unsafe fn validated_runs<Q: QueryFor<D, N> + RunTerms<D>>(
        &mut self,
        f: impl FnMut(Run<'_, Q, D>),
    ) {
        // SAFETY: the assertions show that the entities of `N` have what the terms require, that `N`
        // may access it, and that it lies in columns; the table orders every system that would touch
        // the same components of the same entities (`signature::check`); no other subtask of `N` has
        // a row of this slice; `&mut self` keeps this subtask from reaching its entities meanwhile.
        unsafe { query::for_each_run::<D, Q>(self.storage, self.set, self.slice, f) };
    }
}

impl<D: Declaration, N: SystemName<D>> Data<'_, D, N> {
    /// Calls `f` for each run of contiguous rows of this subtask: [`Own::for_runs`].
    #[inline(always)]
    pub fn for_runs<Q: QueryFor<D, N> + RunTerms<D>>(&mut self, f: impl FnMut(Run<'_, Q, D>)) {
        const { query::assert_allowed::<D, N, Q>() };
        const { query::assert_columns::<D, Q>(N::INDEX) };
        // SAFETY: the constants above show it.
        unsafe { self.own.validated_runs::<Q>(f) };
    }
}
