//! Building a [`Dag`]: sorts the edges into rows, and finds either an order or a cycle.

use super::{Dag, DagError, Rows};
use std::{cmp::Reverse, collections::BinaryHeap};

impl Dag {
    /// Builds the graph in which node `i` runs after the nodes in `dependencies[i]`.
    ///
    /// Takes any slice of lists (`&[&[u16]]`, `&[Vec<usize>]`, …). Repeated dependencies count
    /// once. O((nodes + edges) log(nodes + edges)).
    ///
    /// # Errors
    ///
    /// See [`DagError`]. Of several faults, an unknown node or a self-dependency is reported
    /// before a cycle.
    pub fn new<L, N>(dependencies: &[L]) -> Result<Self, DagError>
    where
        L: AsRef<[N]>,
        N: Copy + Into<usize>,
    {
        let edges = dependencies.iter().enumerate().flat_map(|(node, list)| {
            list.as_ref().iter().map(move |&dependency| (dependency.into(), node))
        });
        Self::from_edges(dependencies.len(), edges)
    }

    /// Builds the graph over `0..len` from edges `(before, after)`: `after` depends on `before`.
    ///
    /// Repeated edges count once. O((nodes + edges) log(nodes + edges)).
    ///
    /// # Errors
    ///
    /// See [`new`](Self::new).
    pub fn from_edges(
        len: usize,
        edges: impl IntoIterator<Item = (usize, usize)>,
    ) -> Result<Self, DagError> {
        let mut forward: Vec<(usize, usize)> = edges.into_iter().collect();
        for &(dependency, node) in &forward {
            if dependency >= len || node >= len {
                return Err(DagError::UnknownNode { node, dependency, len });
            }
            if dependency == node {
                return Err(DagError::SelfDependency { node });
            }
        }
        forward.sort_unstable();
        forward.dedup();
        let mut backward: Vec<_> = forward.iter().map(|&(before, after)| (after, before)).collect();
        backward.sort_unstable();

        let dependents = Rows::from_sorted(len, &forward);
        let dependencies = Rows::from_sorted(len, &backward);
        let roots = (0..len).filter(|&node| dependencies.row(node).is_empty()).collect();
        let order = order(len, &dependencies, &dependents)?;
        Ok(Self { dependencies, dependents, roots, order })
    }
}

impl Rows {
    /// The rows of `pairs`, which are sorted by (row, target).
    fn from_sorted(len: usize, pairs: &[(usize, usize)]) -> Self {
        let offsets = (0..=len).map(|row| pairs.partition_point(|&(r, _)| r < row)).collect();
        Self { offsets, targets: pairs.iter().map(|&(_, target)| target).collect() }
    }
}

/// Kahn's algorithm: repeatedly takes the lowest node without unfinished dependencies.
fn order(len: usize, dependencies: &Rows, dependents: &Rows) -> Result<Box<[usize]>, DagError> {
    let mut waits_for: Vec<usize> = (0..len).map(|node| dependencies.row(node).len()).collect();
    let mut free: BinaryHeap<_> = (0..len).filter(|&n| waits_for[n] == 0).map(Reverse).collect();
    let mut order = Vec::with_capacity(len);
    while let Some(Reverse(node)) = free.pop() {
        order.push(node);
        for &dependent in dependents.row(node) {
            waits_for[dependent] -= 1;
            if waits_for[dependent] == 0 {
                free.push(Reverse(dependent));
            }
        }
    }
    match waits_for.iter().position(|&count| count > 0) {
        None => Ok(order.into_boxed_slice()),
        Some(stuck) => Err(DagError::Cycle(cycle(stuck, dependencies, &waits_for))),
    }
}

/// A cycle among the nodes that still wait, found by a walk from `stuck` along dependencies.
///
/// Every waiting node has a waiting dependency (the count is of just those), so the walk never ends. As there
/// are finitely many nodes, it returns to a visited node, which closes the cycle.
fn cycle(stuck: usize, dependencies: &Rows, waits_for: &[usize]) -> Vec<usize> {
    let mut walk = vec![stuck];
    let mut next = stuck;
    let start = loop {
        let waiting = dependencies.row(next).iter().copied().find(|&d| waits_for[d] > 0);
        next = waiting.expect("a node that waits has a dependency that waits");
        if let Some(start) = walk.iter().position(|&node| node == next) {
            break start;
        }
        walk.push(next);
    };
    let mut cycle = walk.split_off(start);
    cycle.reverse(); // the walk went against the edges
    let lowest = cycle.iter().enumerate().min_by_key(|&(_, &node)| node).map_or(0, |(i, _)| i);
    cycle.rotate_left(lowest);
    cycle
}
