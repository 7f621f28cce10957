//! The scheduler without parallelism: one fixed order, on the calling thread.

use super::{
    Dag, ExecuteError, ForkJoin, Outcome, PanicSlot, Scheduler, StartNodes, is_done,
    reachable::Reachable,
};

/// Runs nodes one after the other on the calling thread, in the
/// [topological order](Dag::topological_order) with the lowest number first.
///
/// The nodes can fork on the executor, so inner parallelism stays possible. This scheduler is for debugging,
/// and is the reference that parallel schedulers are compared with.
///
/// ```
/// # use ecs_core::{World, world};
/// # struct Position(f32);
/// world! {
///     world Line { scheduler: sequential }
///     component Position;
///     system Move { each: |position: &mut Position| position.0 += 1.0 }
/// }
/// let mut world = World::<Line>::new();
/// world.tick()?;
/// # Ok::<_, ecs_core::StepError>(())
/// ```
#[derive(Debug)]
pub struct Sequential {
    dag: Dag,
    reach: Reachable,
}

impl Scheduler for Sequential {
    fn new(dag: &Dag) -> Self {
        Self { reach: Reachable::new(dag), dag: dag.clone() }
    }

    fn execute<E: ForkJoin, F: Fn(usize) -> Outcome + Sync>(
        &mut self,
        starts: StartNodes<'_>,
        _executor: &E,
        run: &F,
    ) -> Result<(), ExecuteError> {
        self.reach.select(&self.dag, self.dag.starts(starts))?;
        let panics = PanicSlot::new();
        for &node in self.dag.topological_order() {
            if self.reach.contains(node) && !is_done(&panics, node, run) {
                break;
            }
        }
        panics.take().map_or(Ok(()), |failure| Err(failure.into()))
    }
}
