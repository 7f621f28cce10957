//! The parallel scheduler: the thread that finishes a node's last dependency runs the node (thesis chapter
//! 10.3.1, algorithm 5).

use super::{
    Atomics, Counter, Dag, ExecuteError, ForkJoin, Outcome, PanicSlot, Scheduler, Slot, StartNodes,
    StdAtomics, fork, is_done, reachable::Reachable,
};

/// Runs nodes as soon as their dependencies are done, on all threads of the executor, with a counter per node.
///
/// It has no queue and no latch, and an execution allocates nothing. Threads wait in [`ForkJoin::join`] only.
/// Each node costs one atomic decrement per dependent, and a join where it releases several at once. The
/// protocol and its correctness argument are in `scheduler/README.md`.
///
/// `A` is the family of shared cells. A family other than the default is for model checking.
///
/// ```
/// use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
///
/// use ecs_core::scheduler::{AtomicCounter, Dag, Outcome, Rayon, Scheduler, StartNodes};
///
/// // Three nodes that may overlap, and one after them.
/// let dag = Dag::new::<_, usize>(&[vec![], vec![], vec![], vec![0, 1, 2]])?;
/// let mut scheduler: AtomicCounter = AtomicCounter::new(&dag);
/// let ran = AtomicUsize::new(0);
/// scheduler.execute(StartNodes::All, &Rayon, &|node| {
///     assert!(node != 3 || ran.load(Relaxed) == 3);
///     ran.fetch_add(1, Relaxed);
///     Outcome::Done
/// })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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

    fn execute<E: ForkJoin, F: Fn(usize) -> Outcome + Sync>(
        &mut self,
        starts: StartNodes<'_>,
        executor: &E,
        run: &F,
    ) -> Result<(), ExecuteError> {
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
        let run = Run { shared: self, panics: &panics, executor, node: run };
        fork(executor, starts.len(), &|i| run.chain(starts[i]));
        panics.take().map_or(Ok(()), |failure| Err(failure.into()))
    }
}

impl<A: Atomics> AtomicCounter<A> {
    /// Decrements the counters of the dependents of `node`, and returns those for which it was the last
    /// dependency. Only the caller knows that they are ready, so it must run them.
    fn release_dependents(&self, node: usize) -> &[A::Slot] {
        let row = &self.ready[self.dag.dependents_offset(node)..];
        let mut released = 0;
        for &dependent in self.dag.dependents(node) {
            if self.counters[dependent].decrement() == 0 {
                row[released].store(dependent);
                released += 1;
            }
        }
        &row[..released]
    }
}

/// What all threads of one execution share.
struct Run<'a, A: Atomics, E, F> {
    shared: &'a AtomicCounter<A>,
    panics: &'a PanicSlot,
    executor: &'a E,
    node: &'a F,
}

impl<A: Atomics, E: ForkJoin, F: Fn(usize) -> Outcome + Sync> Run<'_, A, E, F> {
    /// Runs `node`, which is ready and which no other thread will run, and all that it releases.
    ///
    /// While one dependent at a time is released, the loop continues with it, so a chain of any length needs
    /// one stack frame. The stack deepens only where several are released at once.
    fn chain(&self, mut node: usize) {
        while self.shared.cancelled.load() == 0 {
            if !is_done(self.panics, node, self.node) {
                return self.shared.cancelled.store(1);
            }
            match self.shared.release_dependents(node) {
                [] => return,
                [only] => node = only.load(),
                several => {
                    return fork(self.executor, several.len(), &|i| self.chain(several[i].load()));
                }
            }
        }
    }
}
