//! Stages: groups of systems, one after the other.

use crate::signature::{Data, Declaration, System, SystemName};
use crate::types::{StateHash, StateHasher};

/// The end of a stage: a system without entities and without effects, which runs after the systems of its stage
/// and before those of the next.
///
/// `stages Input -> Simulate;` declares the systems `Input: Stage` and `Simulate: Stage`, in this order. A
/// system with `stage: Simulate` runs after the first and before the second. So any number of systems is
/// ordered by one path, with one or two edges for each of them.
///
/// ```
/// # use ecs_core::{World, world};
/// # #[derive(Default)]
/// # struct Log(Vec<u8>);
/// world! {
///     world Game;
///     resource Log;
///     stages Think -> Act;
///     system Walk { stage: Act, write_resources: [Log], run: |data| data.resources.get_mut::<Log>().0.push(2) }
///     system Plan { stage: Think, write_resources: [Log], run: |data| data.resources.get_mut::<Log>().0.push(1) }
/// }
/// let mut world = World::<Game>::new();
/// world.tick()?;
/// assert_eq!(world.resource::<Log>().0, [1, 2]);
/// # Ok::<_, ecs_core::StepError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Stage;

#[diagnostic::do_not_recommend]
impl<D: Declaration, N: SystemName<D, System = Self>> System<D, N> for Stage {
    fn process(&self, _: &mut Data<'_, D, N>) {}
}

impl StateHash for Stage {
    #[inline]
    fn state_hash(&self, _: &mut StateHasher) {}
}
