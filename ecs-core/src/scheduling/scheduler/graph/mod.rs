//! A pure task graph: numbered nodes, their dependencies, and queries about the resulting order.

#[cfg(test)]
mod tests;

use super::{StartError, StartNodes, reachable::Reachable};
use std::{cmp::Reverse, collections::BinaryHeap, fmt};

/// A directed acyclic graph over the nodes `0..len()`, fixed once built.
///
/// Both directions of every edge are stored as compressed rows (one array of targets, one of offsets), so a
/// node's neighbours are contiguous in memory.
///
/// Implements the implicit graph of thesis chapter 10.3 and the traversals of 14.4.
///
/// ```
/// use ecs_core::scheduler::Dag;
///
/// // 0 before 1 and 2, and both before 3.
/// let dag = Dag::from_edges(4, [(0, 1), (0, 2), (1, 3), (2, 3)])?;
/// assert_eq!(dag.topological_order(), [0, 1, 2, 3]);
/// assert_eq!(dag.dependencies(3), [1, 2]);
/// assert!(dag.has_path(0, 3) && !dag.has_path(1, 2));
/// # Ok::<(), ecs_core::scheduler::DagError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dag {
    dependencies: Rows,
    dependents: Rows,
    roots: Box<[usize]>,
    order: Box<[usize]>,
}

/// Compressed rows: row `i` is `targets[offsets[i]..offsets[i + 1]]`, ascending.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Rows {
    offsets: Box<[usize]>,
    targets: Box<[usize]>,
}

impl Rows {
    /// The rows of `pairs`, which are sorted by (row, target).
    fn from_sorted(len: usize, pairs: &[(usize, usize)]) -> Self {
        let offsets = (0..=len).map(|row| pairs.partition_point(|&(r, _)| r < row)).collect();
        Self { offsets, targets: pairs.iter().map(|&(_, target)| target).collect() }
    }

    fn row(&self, node: usize) -> &[usize] {
        &self.targets[self.offsets[node]..self.offsets[node + 1]]
    }
}

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

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether the graph has no nodes.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// The number of distinct edges.
    pub fn edge_count(&self) -> usize {
        self.dependents.targets.len()
    }

    /// The nodes that `node` directly depends on, ascending, without repetition.
    ///
    /// # Panics
    ///
    /// If there is no such node.
    pub fn dependencies(&self, node: usize) -> &[usize] {
        self.dependencies.row(node)
    }

    /// The nodes that directly depend on `node`, ascending, without repetition.
    ///
    /// # Panics
    ///
    /// If there is no such node.
    pub fn dependents(&self, node: usize) -> &[usize] {
        self.dependents.row(node)
    }

    /// The offset of the row of `node` in the concatenated rows of [`dependents`](Self::dependents). Their
    /// total length is `edge_count()`.
    pub(super) fn dependents_offset(&self, node: usize) -> usize {
        self.dependents.offsets[node]
    }

    /// The nodes without dependencies, ascending. A full execution starts from them.
    pub fn roots(&self) -> &[usize] {
        &self.roots
    }

    /// The nodes that such an execution starts from.
    pub(super) fn starts<'a>(&'a self, starts: StartNodes<'a>) -> &'a [usize] {
        match starts {
            StartNodes::All => &self.roots,
            StartNodes::Nodes(nodes) => nodes,
        }
    }

    /// All nodes, each after its dependencies. Of several that could come next, the lowest does.
    pub fn topological_order(&self) -> &[usize] {
        &self.order
    }

    /// The nodes that can be reached from `starts` along dependents, including the starts, ascending. O(nodes +
    /// edges), by breadth-first traversal (thesis chapter 14.4).
    ///
    /// # Panics
    ///
    /// If a start is not a node.
    pub fn reachable_from(&self, starts: &[usize]) -> Vec<usize> {
        let mut reach = Reachable::new(self);
        reach.traverse(self, starts);
        (0..self.len()).filter(|&node| reach.contains(node)).collect()
    }

    /// Checks that an execution can start from `starts`: each is a node, none is listed twice,
    /// and none is reachable from another. O(nodes + edges).
    ///
    /// # Errors
    ///
    /// The first start at fault, in the order listed.
    pub fn independent(&self, starts: &[usize]) -> Result<(), StartError> {
        Reachable::new(self).select(self, starts)
    }

    /// For each node, the number of edges on the longest path to it from a root. Nodes of one level never
    /// depend on each other. O(nodes + edges).
    pub fn levels(&self) -> Vec<usize> {
        let mut levels = vec![0; self.len()];
        for &node in &self.order {
            levels[node] =
                self.dependencies(node).iter().map(|&d| levels[d] + 1).max().unwrap_or(0);
        }
        levels
    }

    /// Whether `to` must wait for `from`: there is a path from `from` to `to` of at least one edge. O(nodes +
    /// edges).
    ///
    /// # Panics
    ///
    /// If either is not a node.
    pub fn has_path(&self, from: usize, to: usize) -> bool {
        assert!(to < self.len(), "the graph has {} nodes, so there is no node {to}", self.len());
        let mut reach = Reachable::new(self);
        reach.traverse(self, self.dependents(from));
        reach.contains(to)
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

/// Why a list of dependencies is not a [`Dag`].
///
/// ```
/// use ecs_core::scheduler::{Dag, DagError};
///
/// let node = Dag::new::<_, usize>(&[vec![0]]);
/// assert_eq!(node, Err(DagError::SelfDependency { node: 0 }));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DagError {
    /// `node` depends on `dependency`, which is not one of the graph's `len` nodes. If `node >= len`, it is
    /// `node` that does not exist.
    UnknownNode {
        /// The node that has the dependency.
        node: usize,
        /// The dependency.
        dependency: usize,
        /// The number of nodes.
        len: usize,
    },
    /// `node` depends on itself.
    SelfDependency {
        /// The node.
        node: usize,
    },
    /// The nodes depend on each other in a cycle: each must run before the next, and the last before the first.
    /// The lowest node comes first.
    Cycle(Vec<usize>),
}

impl fmt::Display for DagError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownNode { node, dependency, len } => {
                write!(f, "node {node} cannot depend on node {dependency}: there are {len} nodes")
            }
            Self::SelfDependency { node } => write!(f, "node {node} depends on itself"),
            Self::Cycle(nodes) => {
                write!(f, "the nodes wait for each other: ")?;
                for node in nodes {
                    write!(f, "{node} before ")?;
                }
                write!(f, "{}", nodes[0])
            }
        }
    }
}

impl std::error::Error for DagError {}
