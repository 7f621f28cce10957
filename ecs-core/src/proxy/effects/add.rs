//! Additions to commutative resources.

use crate::signature::access::AddedBy;
use crate::signature::{Declaration, Effects, SystemName, undeclared};

impl<D: Declaration, N: SystemName<D>> Effects<'_, D, N> {
    /// Adds the value to the resource of its type, by the resource's [operation](crate::combine). Systems that run after
    /// this one find the resource with all that this system has added. Any number of systems and subtasks may add at the
    /// same time; the result does not depend on threads, nor on how the system is split.
    ///
    /// ```
    /// # use ecs_core::{Combine, World, world};
    /// # struct Age(u32);
    /// #[derive(Combine)]
    /// struct Oldest(u32);
    ///
    /// world! {
    ///     world Town;
    ///     component Age;
    ///     resource Oldest: max = Oldest(0);
    ///     system Find {
    ///         add: [Oldest],
    ///         parallelism: split_every(64),
    ///         each: |age: &Age, effects| effects.add(Oldest(age.0)),
    ///     }
    /// }
    ///
    /// let mut world = World::<Town>::new();
    /// world.spawn_batch((0..200).map(|age| (Age(age),)));
    /// world.tick()?;
    /// assert_eq!(world.resource::<Oldest>().0, 199);
    /// # Ok::<_, ecs_core::StepError>(())
    /// ```
    ///
    /// If the system panics, what it has added is dropped; so is what other systems have added and no system has been able
    /// to see. O(the operation); allocates nothing in steady state.
    #[inline]
    pub fn add<R: AddedBy<N, D>>(&mut self, value: R) {
        let rank = const { rank::<D, N>(R::INDEX) };
        value.add_to(rank, &mut self.work.added);
    }
}

/// The position of the resource among those that the system adds to.
const fn rank<D: Declaration, N: SystemName<D>>(index: usize) -> usize {
    assert!(index < D::RESOURCES.len(), "[ECS0070] the index of a resource is out of range");
    let listed = D::SYSTEMS[N::INDEX].declared.add;
    let mut rank = 0;
    while rank < listed.len() {
        if listed[rank] == index {
            return rank;
        }
        rank += 1;
    }
    undeclared::<D, N>("add to the resource", D::RESOURCES[index].name())
}
