//! A pure task graph: numbered nodes, what each depends on, and questions about the order that
//! follows.

mod build;
#[cfg(test)]
mod tests;

use super::{StartError, reachable::Reachable};
use std::fmt;

/// A directed acyclic graph over the nodes `0..len()`, fixed once built.
///
/// Both directions of every edge are stored as compressed rows (one array of targets, one of
/// offsets), so that walking a node's neighbours touches consecutive memory.
///
/// Implements the implicit graph of thesis chapter 10.3 and the traversals of 14.4.
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
    fn row(&self, node: usize) -> &[usize] {
        &self.targets[self.offsets[node]..self.offsets[node + 1]]
    }
}

impl Dag {
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

    /// Where the row of `node` begins when the rows of [`dependents`](Self::dependents) lie one
    /// after the other; the rows are `edge_count()` long together.
    pub(super) fn dependents_offset(&self, node: usize) -> usize {
        self.dependents.offsets[node]
    }

    /// The nodes without dependencies, ascending: where a full execution starts.
    pub fn roots(&self) -> &[usize] {
        &self.roots
    }

    /// All nodes, each after its dependencies; wherever several could come next, the lowest does.
    pub fn topological_order(&self) -> &[usize] {
        &self.order
    }

    /// The nodes that can be reached from `starts` along dependents, the starts themselves
    /// included, ascending. O(nodes + edges), by breadth-first traversal (thesis chapter 14.4).
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

    /// For each node the number of edges on the longest way to it from a root: nodes of one
    /// level never depend on each other. O(nodes + edges).
    pub fn levels(&self) -> Vec<usize> {
        let mut levels = vec![0; self.len()];
        for &node in &self.order {
            levels[node] =
                self.dependencies(node).iter().map(|&d| levels[d] + 1).max().unwrap_or(0);
        }
        levels
    }

    /// Whether `to` must wait for `from`: there is a way from `from` to `to` of one edge or more.
    /// O(nodes + edges).
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

/// Why a list of dependencies is not a [`Dag`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DagError {
    /// `node` depends on `dependency`, which is not one of the graph's `len` nodes (if
    /// `node >= len`, it is `node` that does not exist).
    UnknownNode {
        /// The node whose dependency it is.
        node: usize,
        /// What it depends on.
        dependency: usize,
        /// The number of nodes.
        len: usize,
    },
    /// `node` depends on itself.
    SelfDependency {
        /// The node.
        node: usize,
    },
    /// The nodes wait for each other: each must run before the next, and the last before the
    /// first. The lowest node comes first.
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
