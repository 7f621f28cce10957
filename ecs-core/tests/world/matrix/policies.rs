//! The policies that the program runs under: the library's, and a user-defined one of each kind.

use std::marker::PhantomData;
use std::sync::atomic::{AtomicUsize, Ordering};

use ecs_core::inner_parallelism::{
    FixedThreshold, None as NoneStrategy, NoneBelowThreshold, SplitEvenly, SplitEvenlyCores,
    SplitEvery, Strategy,
};
use ecs_core::scheduler::{
    Dag, ExecuteError, Failure, ForkJoin, Outcome, PanicSlot, Scheduler, StartNodes,
};

/// A strategy chosen at run time, so that one program covers every strategy.
#[derive(Debug)]
pub(super) enum Chosen {}

impl Strategy for Chosen {
    fn subtasks(entities: usize, cores: usize) -> usize {
        STRATEGIES[CHOSEN.load(Ordering::Relaxed)].1(entities, cores)
    }
}

static CHOSEN: AtomicUsize = AtomicUsize::new(0);

/// Sets the strategy by which all systems are split from now on.
pub(super) fn choose(strategy: usize) {
    CHOSEN.store(strategy, Ordering::Relaxed);
}

/// The number of subtasks, given the numbers of entities and of cores.
type Subtasks = fn(usize, usize) -> usize;

/// Every strategy and composer of the library, and user-defined ones.
pub(super) const STRATEGIES: [(&str, Subtasks); 8] = [
    ("none", NoneStrategy::subtasks),
    ("split_evenly(3)", SplitEvenly::<3>::subtasks),
    ("split_evenly(cores)", SplitEvenlyCores::subtasks),
    ("split_every(100)", SplitEvery::<100>::subtasks),
    ("none_below_threshold", NoneBelowThreshold::<1_500, SplitEvenly<5>>::subtasks),
    (
        "fixed_threshold",
        FixedThreshold::<500, SplitEvery<64>, NoneBelowThreshold<1_500, ByRoot>>::subtasks,
    ),
    ("a user's", ByRoot::subtasks),
    ("a user's composer", AtMost::<9, AtMost<20, ByRoot>>::subtasks),
];

/// A user-defined strategy.
#[derive(Debug)]
enum ByRoot {}

impl Strategy for ByRoot {
    fn subtasks(entities: usize, _: usize) -> usize {
        entities.isqrt()
    }
}

/// A user-defined composer: the subtasks of `S`, but at most `N`.
#[derive(Debug)]
pub(super) struct AtMost<const N: usize, S>(PhantomData<S>);

impl<const N: usize, S: Strategy> Strategy for AtMost<N, S> {
    fn subtasks(entities: usize, cores: usize) -> usize {
        S::subtasks(entities, cores).min(N)
    }
}

/// A user-defined scheduler: it runs one system after the other. Of the systems that are ready, the one
/// declared last runs first.
#[derive(Debug)]
pub(super) struct LastFirst(Dag);

impl Scheduler for LastFirst {
    fn new(dag: &Dag) -> Self {
        Self(dag.clone())
    }

    fn execute<E: ForkJoin, F: Fn(usize) -> Outcome + Sync>(
        &mut self,
        starts: StartNodes<'_>,
        _: &E,
        run: &F,
    ) -> Result<(), ExecuteError> {
        let starts = match starts {
            StartNodes::All => self.0.roots(),
            StartNodes::Nodes(nodes) => nodes,
        };
        self.0.independent(starts)?;
        let mut left = self.0.reachable_from(starts);
        let panics = PanicSlot::new();
        while !left.is_empty() && panics.is_empty() {
            let waits = |&node: &usize| {
                self.0.dependencies(node).iter().any(|before| left.contains(before))
            };
            let last = left.iter().rposition(|node| !waits(node)).expect("there is no cycle");
            let node = left.remove(last);
            if let Some(Outcome::Failed { subtask, payload }) =
                panics.catch(node, None, || run(node))
            {
                panics.record(Failure { node, subtask: Some(subtask), payload });
            }
        }
        panics.take().map_or(Ok(()), |failure| Err(failure.into()))
    }
}

/// Every combination of settings: for each limit, each inner parallelism, and for both, each scheduler.
pub(super) const SETTINGS: [&str; 12] = [
    "dynamic, allow, atomic_counter",
    "dynamic, allow, sequential",
    "as declared: dynamic, allow, a user's scheduler",
    "dynamic, disallow, atomic_counter",
    "dynamic, disallow, sequential",
    "dynamic, disallow, a user's scheduler",
    "fixed, allow, atomic_counter",
    "fixed, allow, sequential",
    "fixed, allow, a user's scheduler",
    "fixed, disallow, atomic_counter",
    "fixed, disallow, sequential",
    "fixed, disallow, a user's scheduler",
];
