//! Kernels: system bodies that get whole slices of columns (thesis, 13.1).

use core::slice;

use crate::entity::Place;
use crate::proxy::query;
use crate::proxy::query::{QueryFor, Run, RunTerms};
use crate::signature::access::Reads;
use crate::signature::{Declaration, HasComponent, Own, SystemName};
use crate::types::Component;

impl<D: Declaration, N: SystemName<D>> Own<'_, D, N> {
    /// Calls `f` for each run of contiguous rows of this subtask, with a slice of each component that `Q` asks
    /// for: `&C` gives a `&[C]`, `&mut C` a `&mut [C]`, `Entity` a `&[Entity]`. All slices of a run have one
    /// length and are not empty. O(entities), plus the time of `f`.
    ///
    /// It is for code that needs more than one entity at a time, such as SIMD instructions and functions on
    /// slices. It is also for systems that stage work, whose bodies for each entity are not vectorised. The
    /// access rights are those of a query. Each component that is read or written must have its own
    /// `contiguous_buffer`.
    ///
    /// Runs come in ascending order of rows and together cover the subtask's entities. A run ends at a gap and
    /// at the end of the slice. So the boundaries of runs depend on how the system is split: results should
    /// follow from the elements one by one.
    ///
    /// ```
    /// # use ecs_core::{World, world};
    /// # struct Position(f32);
    /// # struct Velocity(f32);
    /// world! {
    ///     world Line;
    ///     component Position, Velocity;
    ///     system Move {
    ///         read: [Velocity],
    ///         write: [Position],
    ///         run: |data| data.own.for_runs::<(&Velocity, &mut Position)>(|(velocities, positions)| {
    ///             for (position, velocity) in positions.iter_mut().zip(velocities) {
    ///                 position.0 += velocity.0;
    ///             }
    ///         }),
    ///     }
    /// }
    /// # let mut world = World::<Line>::new();
    /// # let disc = world.spawn((Position(1.0), Velocity(0.5)));
    /// # world.tick().unwrap();
    /// # assert_eq!(world.get::<Position>(disc).unwrap().0, 1.5);
    /// ```
    #[inline(always)]
    pub fn for_runs<Q: QueryFor<D, N> + RunTerms<D>>(&mut self, mut f: impl FnMut(Run<'_, Q, D>)) {
        const { query::assert_allowed::<D, N, Q>() };
        const { query::assert_columns::<D, Q>(N::INDEX) };
        // SAFETY: the constants above show that the entities of `N` have what the terms require, that `N` may access
        // it, and that it is in columns. The table orders every system that would access the same components of
        // the same entities (`signature::check`). No other subtask of `N` has a row of this slice. `&mut self`
        // prevents other access by this subtask meanwhile.
        unsafe {
            query::for_each_run::<D, Q>(self.storage, self.set, self.slice, |_, run| f(run));
        };
    }

    /// Calls `f` with the components `C` of the entities of this subtask: with those of each run of contiguous rows, or one
    /// after the other if they do not lie side by side; and with the first of their rows. For indices.
    #[inline(always)]
    pub(crate) fn for_slices<C: Component>(&mut self, mut f: impl FnMut(usize, &[C]))
    where
        D: HasComponent<C>,
        N: Reads<C, D>,
    {
        if const { !<&C as RunTerms<D>>::INTERLEAVED.is_empty() } {
            let one = |(place, component): (Place, _)| {
                f(place.row() as usize, slice::from_ref(component));
            };
            return self.query::<(Place, &C)>().for_each(one);
        }
        const { query::assert_allowed::<D, N, &C>() };
        // SAFETY: as in `for_runs`; it is in a column, by the condition above.
        unsafe { query::for_each_run::<D, &C>(self.storage, self.set, self.slice, f) };
    }
}
