//! Any order that the graph permits, one node after the other.

use crate::parallel::{Dice, ForkJoin, PanicSlot, SubtaskOrder};
use crate::scheduling::scheduler::reachable::Reachable;
use crate::scheduling::scheduler::{Dag, ExecuteError, Outcome, Scheduler, StartNodes, is_done};

/// Runs nodes one after the other on the calling thread, in an order that a seed chooses. For tests.
///
/// Of all nodes whose dependencies are done, each is equally likely to be next, so every order that the graph
/// permits occurs with some seed. The subtasks of a system are [shuffled](SubtaskOrder::Shuffled) likewise. The
/// same seed, graph and number of previous executions give the same orders, on every machine and for every
/// number of threads.
///
/// It finds dependence on an order that the declaration does not state, but no fault that needs two threads at
/// the same time: for that there is [`Delayed`](super::Delayed). An example of a fault that it finds:
///
/// ```should_panic
/// use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
///
/// use ecs_core::scheduler::{Shuffled, assert_orderless};
/// use ecs_core::settings::{Scheduled, Settings};
/// use ecs_core::{Data, Declaration, System, Threads, World, world};
///
/// struct Ticket(u32);
///
/// world! {
///     world Queue;
///     component Ticket;
///     system Number { parallelism: split_every(64), write: [Ticket] }
/// }
///
/// /// Numbers the entities, in whichever order its subtasks happen to run.
/// #[derive(Default)]
/// struct Number(AtomicU32);
///
/// impl System<Queue> for Number {
///     fn process(&self, data: &mut Data<'_, Queue, Self>) {
///         data.own.for_entities(|e| e.ticket.0 = self.0.fetch_add(1, Relaxed));
///     }
/// }
///
/// fn tickets<S: Settings>(mut world: World<Queue, S>) -> Vec<u32> {
///     world.step(|step| for _ in 0..200 { step.spawn((Ticket(0),)); }).unwrap();
///     world.tick().unwrap();
///     let mut tickets = Vec::new();
///     for (ticket,) in world.iter::<(&Ticket,)>() { tickets.push(ticket.0); }
///     tickets
/// }
///
/// let expected = tickets(World::<Queue>::on(Threads::Inline));
/// // Panics with the first seed that gives other tickets.
/// assert_orderless(0..100, &expected, |seed| {
///     tickets(World::<Queue, Scheduled<Queue, Shuffled>>::with_scheduler(Threads::Inline, |dag| {
///         Shuffled::seeded(dag, seed)
///     }))
/// });
/// ```
#[derive(Debug)]
pub struct Shuffled {
    dag: Dag,
    reach: Reachable,
    /// Per node: the number of its dependencies in this execution that have not run.
    waits: Box<[usize]>,
    /// The nodes that could be next; at most all nodes.
    ready: Vec<usize>,
    seed: u64,
    executions: u64,
}

impl Shuffled {
    /// A scheduler whose orders follow from `seed`.
    #[must_use]
    pub fn seeded(dag: &Dag, seed: u64) -> Self {
        Self {
            reach: Reachable::new(dag),
            waits: vec![0; dag.len()].into(),
            ready: Vec::with_capacity(dag.len()),
            dag: dag.clone(),
            seed,
            executions: 0,
        }
    }
}

impl Scheduler for Shuffled {
    /// With the seed 0.
    fn new(dag: &Dag) -> Self {
        Self::seeded(dag, 0)
    }

    fn execute<E: ForkJoin, F: Fn(usize) -> Outcome + Sync>(
        &mut self,
        starts: StartNodes<'_>,
        _executor: &E,
        run: &F,
    ) -> Result<(), ExecuteError> {
        let Self { dag, reach, waits, ready, seed, executions } = self;
        let starts = dag.starts(starts);
        reach.select(dag, starts)?;
        waits.copy_from_slice(reach.counts());
        ready.clear();
        ready.extend(starts);
        // The starts are included so that the phases of a graph get independent orders.
        let led = [*seed, *executions].into_iter().chain(starts.iter().map(|&node| node as u64));
        let mut dice = Dice::of(led);
        *executions += 1;
        let panics = PanicSlot::new();
        while !ready.is_empty() {
            let node = ready.swap_remove(dice.below(ready.len()));
            if !is_done(&panics, node, run) {
                break;
            }
            for &dependent in dag.dependents(node) {
                waits[dependent] -= 1;
                if waits[dependent] == 0 {
                    ready.push(dependent);
                }
            }
        }
        panics.take().map_or(Ok(()), |failure| Err(failure.into()))
    }

    fn subtask_order(&self) -> SubtaskOrder {
        SubtaskOrder::Shuffled(Dice::of([self.seed, self.executions]).next())
    }
}
