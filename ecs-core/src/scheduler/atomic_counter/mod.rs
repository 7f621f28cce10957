//! The parallel scheduler: the thread that finishes a node's last dependency runs the node (thesis chapter
//! 10.3.1, algorithm 5).

mod run;

use super::{
    Atomics, Counter, Dag, ExecuteError, ForkJoin, Outcome, PanicSlot, Scheduler, Slot, StartNodes,
    StdAtomics, fork, reachable::Reachable,
};
use run::Run;

/// Runs nodes as soon as their dependencies are done, on all threads of the executor, with a counter per node.
///
/// It has no queue and no latch, and an execution allocates nothing. Threads wait in [`ForkJoin::join`] only.
/// Each node costs one atomic decrement per dependent, and a join where it releases several at once. The
/// protocol and its correctness argument are in `scheduler/README.md`.
///
/// `A` is the family of shared cells. A family other than the default is for model checking.
#[derive(Debug)]
pub struct AtomicCounter<A: Atomics = StdAtomics> {
    dag: Dag,
    reach: Reachable,
    /// Per node: the number of its dependencies in this execution that have not finished.
    counters: Box<[A::Counter]>,
    /// Per edge, grouped by source node: a finished node writes the dependents that it released into its own
    /// row, from index 0.
    ready: Box<[A::Slot]>,
    /// Not 0 from the first failure on: no more nodes are started.
    cancelled: A::Slot,
}

impl<A: Atomics> Scheduler for AtomicCounter<A> {
    const SKIPPED_IF_SMALL: bool = true;

    fn new(dag: &Dag) -> Self {
        Self {
            reach: Reachable::new(dag),
            counters: (0..dag.len()).map(|_| A::Counter::new(0)).collect(),
            ready: (0..dag.edge_count()).map(|_| A::Slot::new(0)).collect(),
            cancelled: A::Slot::new(0),
            dag: dag.clone(),
        }
    }

    fn execute<E, F>(
        &mut self,
        starts: StartNodes<'_>,
        executor: &E,
        run: &F,
    ) -> Result<(), ExecuteError>
    where
        E: ForkJoin,
        F: Fn(usize) -> Outcome + Sync,
    {
        let starts = match starts {
            StartNodes::All => {
                for (node, counter) in self.counters.iter_mut().enumerate() {
                    counter.set(self.dag.dependencies(node).len());
                }
                self.dag.roots()
            }
            StartNodes::Nodes(nodes) => {
                self.reach.select(&self.dag, nodes)?;
                for (counter, &count) in self.counters.iter_mut().zip(self.reach.counts()) {
                    counter.set(count);
                }
                nodes
            }
        };
        self.cancelled.store(0);
        let panics = PanicSlot::new();
        let run = Run {
            dag: &self.dag,
            counters: &self.counters,
            ready: &self.ready,
            cancelled: &self.cancelled,
            panics: &panics,
            executor,
            node: run,
        };
        fork(executor, starts.len(), &|i| run.chain(starts[i]));
        panics.take().map_or(Ok(()), |failure| Err(failure.into()))
    }
}
