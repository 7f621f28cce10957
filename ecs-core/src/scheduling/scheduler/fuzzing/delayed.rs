//! All threads, with pauses that provoke unusual orders.

use std::time::Duration;

use crate::parallel::{Dice, ForkJoin, SubtaskOrder, between_pauses};
use crate::scheduling::scheduler::{
    AtomicCounter, Dag, ExecuteError, Outcome, Scheduler, StartNodes,
};

/// Runs nodes as [`AtomicCounter`] does, with pauses that a seed chooses before and after each node, and
/// [likewise](SubtaskOrder::Delayed) before and after the subtasks of systems. For tests.
///
/// A pausing thread leaves the nodes that it has not begun to other threads, so nodes and subtasks overlap in
/// ways and orders that are otherwise rare. The pauses are the same for the same seed and graph, but their
/// effect depends on the machine: a seed that found a fault is likely to find it again, but not certain to.
/// With one thread there is one order, and no fault to find.
///
/// [`assert_orderless`](super::assert_orderless) has an example.
///
/// ```
/// use ecs_core::scheduler::Delayed;
/// use ecs_core::settings::Scheduled;
/// # use ecs_core::{Threads, World, world};
/// # struct Position(f32);
/// # world! { world Line; component Position; }
/// type Fuzzed = World<Line, Scheduled<Line, Delayed>>;
/// let mut world = Fuzzed::with_scheduler(Threads::Global, |dag| Delayed::seeded(dag, 7));
/// world.tick()?;
/// # Ok::<_, ecs_core::StepError>(())
/// ```
#[derive(Debug)]
pub struct Delayed {
    inner: AtomicCounter,
    seed: u64,
    executions: u64,
    longest: Duration,
}

impl Delayed {
    /// A scheduler whose pauses, of up to 200 µs, follow from `seed`.
    #[must_use]
    pub fn seeded(dag: &Dag, seed: u64) -> Self {
        let longest = Duration::from_micros(200);
        Self { inner: AtomicCounter::new(dag), seed, executions: 0, longest }
    }

    /// The same with pauses of up to `longest`, as far as the system's timer permits. About the duration of a
    /// system is best.
    #[must_use]
    pub fn up_to(self, longest: Duration) -> Self {
        Self { longest, ..self }
    }
}

impl Scheduler for Delayed {
    /// With the seed 0.
    fn new(dag: &Dag) -> Self {
        Self::seeded(dag, 0)
    }

    fn execute<E: ForkJoin, F: Fn(usize) -> Outcome + Sync>(
        &mut self,
        starts: StartNodes<'_>,
        executor: &E,
        run: &F,
    ) -> Result<(), ExecuteError> {
        let (seed, execution, longest) = (self.seed, self.executions, self.longest);
        self.executions += 1;
        self.inner.execute(starts, executor, &|node| {
            let dice = Dice::of([seed, execution, node as u64]);
            between_pauses(dice, longest, || run(node))
        })
    }

    fn subtask_order(&self) -> SubtaskOrder {
        SubtaskOrder::Delayed(Dice::of([self.seed, self.executions]).next(), self.longest)
    }
}
