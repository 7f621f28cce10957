//! Enforces the order of any scheduler, so that memory safety does not rest on its promise.

use super::{
    Dag, ExecuteError, ForkJoin, Outcome, Scheduler, StartError, StartNodes, SubtaskOrder,
    reachable::Reachable,
};
use std::sync::atomic::{
    AtomicU8,
    Ordering::{Acquire, Relaxed, Release},
};

/// The scheduler `S`, with a check before every call of a node.
///
/// Whatever `S` does, a node runs at most once per execution, only if it is reachable from the starts, and only
/// after all its dependencies among the reachable nodes have returned [`Outcome::Done`], which *happens before*
/// the node runs. A call that breaks this rule panics instead. So two nodes with a path between them never run
/// at the same time, even if `S` is written to break the rule. (That `S` runs *all* nodes is not checked.)
///
/// Costs one atomic exchange and one store per node, and one load per dependency.
///
/// ```
/// use ecs_core::scheduler::{Dag, Gated, Inline, Outcome, Scheduler, Sequential, StartNodes};
///
/// let dag = Dag::new::<_, usize>(&[vec![], vec![0]])?;
/// let mut scheduler = Gated::around(Sequential::new(&dag), &dag);
/// scheduler.execute(StartNodes::All, &Inline, &|_| Outcome::Done)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Gated<S> {
    inner: S,
    gate: Gate,
}

impl<S> Gated<S> {
    /// `inner`, with the order of `dag` enforced.
    pub fn around(inner: S, dag: &Dag) -> Self {
        Self { inner, gate: Gate::new(dag) }
    }
}

impl<S: Scheduler> Scheduler for Gated<S> {
    fn new(dag: &Dag) -> Self {
        Self::around(S::new(dag), dag)
    }

    fn execute<E: ForkJoin, F: Fn(usize) -> Outcome + Sync>(
        &mut self,
        starts: StartNodes<'_>,
        executor: &E,
        run: &F,
    ) -> Result<(), ExecuteError> {
        self.gate.reset(starts)?;
        let gate = &self.gate;
        self.inner.execute(starts, executor, &|node| gate.pass(node, run))
    }

    fn subtask_order(&self) -> SubtaskOrder {
        self.inner.subtask_order()
    }
}

/// Not reachable in this execution: never runs, and no node waits for it.
const EXCLUDED: u8 = 0;
/// Has not begun.
const WAITING: u8 = 1;
/// Has begun; stays so if it fails.
const BEGUN: u8 = 2;
/// Has returned [`Outcome::Done`].
const DONE: u8 = 3;

/// The states of all nodes in one execution: `WAITING → BEGUN → DONE`, or `EXCLUDED` throughout.
#[derive(Debug)]
struct Gate {
    dag: Dag,
    reach: Reachable,
    states: Box<[AtomicU8]>,
}

impl Gate {
    fn new(dag: &Dag) -> Self {
        Self {
            reach: Reachable::new(dag),
            states: (0..dag.len()).map(|_| AtomicU8::new(EXCLUDED)).collect(),
            dag: dag.clone(),
        }
    }

    fn reset(&mut self, starts: StartNodes<'_>) -> Result<(), StartError> {
        if let StartNodes::Nodes(nodes) = starts {
            self.reach.select(&self.dag, nodes)?;
        }
        for (node, state) in self.states.iter_mut().enumerate() {
            let included = starts == StartNodes::All || self.reach.contains(node);
            *state.get_mut() = if included { WAITING } else { EXCLUDED };
        }
        Ok(())
    }

    fn pass(&self, node: usize, run: &impl Fn(usize) -> Outcome) -> Outcome {
        // Relaxed: of all calls for a node, one wins; it reads nothing that the others wrote.
        let begun = self.states[node].compare_exchange(WAITING, BEGUN, Relaxed, Relaxed);
        assert!(begun.is_ok(), "the scheduler called for node {node} twice, or it is unreachable");
        for &dependency in self.dag.dependencies(node) {
            // Acquire: pairs with the release below, so that the dependency's work is visible.
            let state = self.states[dependency].load(Acquire);
            assert!(
                state == DONE || state == EXCLUDED,
                "the scheduler called for node {node} before node {dependency} was done"
            );
        }
        let outcome = run(node);
        if matches!(outcome, Outcome::Done) {
            self.states[node].store(DONE, Release);
        }
        outcome
    }
}

#[cfg(test)]
mod tests {
    use super::{super::*, *};
    use std::sync::Mutex;

    /// Makes the calls that it is given, whatever the graph says.
    struct Hostile(Vec<usize>);

    impl Scheduler for Hostile {
        fn new(_: &Dag) -> Self {
            Self(Vec::new())
        }

        fn execute<E: ForkJoin, F: Fn(usize) -> Outcome + Sync>(
            &mut self,
            _: StartNodes<'_>,
            _: &E,
            run: &F,
        ) -> Result<(), ExecuteError> {
            let panics = PanicSlot::new();
            for &node in &self.0 {
                panics.catch(node, None, || run(node));
            }
            panics.take().map_or(Ok(()), |failure| Err(failure.into()))
        }
    }

    /// The calls that pass the gate when a hostile scheduler makes `calls` on 0 → 1 → 2, 3, and the first
    /// failure.
    fn attempt(calls: &[usize], starts: StartNodes<'_>) -> (Vec<usize>, Option<String>) {
        let mut scheduler = Gated::<Hostile>::new(&Dag::from_edges(4, [(0, 1), (1, 2)]).unwrap());
        scheduler.inner.0 = calls.to_vec();
        let ran = Mutex::new(Vec::new());
        let result = scheduler.execute(starts, &Inline, &|node| {
            ran.lock().unwrap().push(node);
            if node == 3 {
                return Outcome::Failed { subtask: 0, payload: Box::new(()) };
            }
            Outcome::Done
        });
        (ran.into_inner().unwrap(), result.err().map(|error| error.to_string()))
    }

    #[test]
    fn calls_that_break_the_order_are_refused_for_good() {
        let from_1 = StartNodes::Nodes(&[1]);
        for (calls, starts, passed, refusal) in [
            (&[3, 0, 1, 2][..], StartNodes::All, &[3, 0, 1, 2][..], None),
            (&[1, 2], from_1, &[1, 2], None),
            (&[0, 2, 1, 2], StartNodes::All, &[0, 1], Some("node 2 before node 1 was done")),
            (&[1, 1], from_1, &[1], Some("node 1 twice")),
            (&[0], from_1, &[], Some("node 0 twice, or it is unreachable")),
        ] {
            let (ran, error) = attempt(calls, starts);
            assert_eq!((&ran[..], error.is_some()), (passed, refusal.is_some()));
            let error = error.unwrap_or_default();
            assert!(error.contains(refusal.unwrap_or_default()), "{error}");
        }
    }

    #[test]
    fn the_next_execution_starts_afresh() {
        let dag = Dag::from_edges(2, [(0, 1)]).unwrap();
        let mut scheduler = Gated::<Sequential>::new(&dag);
        for starts in [StartNodes::All, StartNodes::Nodes(&[1]), StartNodes::All] {
            scheduler.execute(starts, &Inline, &|_| Outcome::Done).unwrap();
        }
        let refused = scheduler.execute(StartNodes::Nodes(&[0, 1]), &Inline, &|_| Outcome::Done);
        assert!(matches!(refused, Err(ExecuteError::Starts(_))));
    }
}
