//! Which nodes an execution covers, and how many of them each node waits for.

use super::{Dag, StartError};
use crate::types::IndexSet;

/// Reusable working memory of the breadth-first traversal (thesis chapter 14.4).
///
/// The traversal crosses every edge that leaves a reached node exactly once, so the crossings
/// counted at a node are its dependencies *among the reached nodes*. That is the number a partial
/// execution must wait for: the node's other dependencies will never run.
#[derive(Clone, Debug)]
pub(super) struct Reachable {
    reached: Box<[bool]>,
    counts: Box<[usize]>,
    /// The nodes to visit; never more than the nodes of the graph, so never reallocated.
    queue: Vec<usize>,
}

impl Reachable {
    /// Working memory for `dag` and any other graph of its size.
    pub(super) fn new(dag: &Dag) -> Self {
        Self {
            reached: vec![false; dag.len()].into(),
            counts: vec![0; dag.len()].into(),
            queue: Vec::with_capacity(dag.len()),
        }
    }

    /// Traverses `dag` from `starts` (repeated ones count once). Panics at an unknown start.
    pub(super) fn traverse(&mut self, dag: &Dag, starts: &[usize]) {
        self.reached.fill(false);
        self.counts.fill(0);
        self.queue.clear();
        for &start in starts {
            self.reach(start);
        }
        let mut visited = 0;
        while let Some(&node) = self.queue.get(visited) {
            visited += 1;
            for &dependent in dag.dependents(node) {
                self.counts[dependent] += 1;
                self.reach(dependent);
            }
        }
    }

    /// Traverses `dag` from `starts`, which must be different nodes, none reachable from another.
    pub(super) fn select(&mut self, dag: &Dag, starts: &[usize]) -> Result<(), StartError> {
        let len = dag.len();
        if let Some(&start) = starts.iter().find(|&&start| start >= len) {
            return Err(StartError::Unknown { start, len });
        }
        self.traverse(dag, starts);
        // The starts were queued first, each once: a shorter or different head shows a repetition.
        if let Some(i) = (0..starts.len()).find(|&i| self.queue.get(i) != Some(&starts[i])) {
            return Err(StartError::Repeated { start: starts[i] });
        }
        // A count above 0 means that an edge towards the node was crossed: some start reaches it.
        if let Some(&start) = starts.iter().find(|&&start| self.counts[start] > 0) {
            let from = starts.iter().copied().find(|&from| dag.has_path(from, start));
            return Err(StartError::Reachable { start, from: from.unwrap_or(start) });
        }
        Ok(())
    }

    /// Adds to `starts` those of the `nodes` that no path from another of them leads to. `nodes` are in topological
    /// order.
    pub(super) fn first_of(
        &mut self,
        dag: &Dag,
        nodes: impl Iterator<Item = usize>,
        starts: &mut Vec<usize>,
    ) {
        self.reached.fill(false);
        self.queue.clear();
        let mut visited = 0;
        for node in nodes {
            if self.reached[node] {
                continue;
            }
            starts.push(node);
            self.reach(node);
            while let Some(&node) = self.queue.get(visited) {
                visited += 1;
                for &dependent in dag.dependents(node) {
                    self.reach(dependent);
                }
            }
        }
    }

    /// Lets the members of `nodes` count as those that were reached, and no others.
    pub(super) fn keep(&mut self, nodes: &IndexSet) {
        for (node, reached) in self.reached.iter_mut().enumerate() {
            *reached = nodes.contains(node);
        }
    }

    /// Whether the last traversal reached `node`.
    pub(super) fn contains(&self, node: usize) -> bool {
        self.reached[node]
    }

    /// For each node, how many of its dependencies the last traversal reached.
    pub(super) fn counts(&self) -> &[usize] {
        &self.counts
    }

    fn reach(&mut self, node: usize) {
        if !self.reached[node] {
            self.reached[node] = true;
            self.queue.push(node);
        }
    }
}
