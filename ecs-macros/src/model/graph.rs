//! A directed graph over indices: reachability, shortest paths and cycles.
//!
//! It does not depend on systems.

use std::collections::VecDeque;

use ecs_rules::order::{self, Before};
use ecs_rules::{IndexSet, MOST};

/// A directed graph over the nodes `0..n`.
pub(crate) struct Graph {
    successors: Vec<Vec<usize>>,
    /// For each node, those from which a path with at least one edge leads to it. Nodes beyond the limit of the
    /// rules have no paths.
    ancestors: Vec<IndexSet>,
}

impl Graph {
    /// The graph with the given edges, each from an earlier node to a later one.
    pub(crate) fn new(nodes: usize, edges: impl IntoIterator<Item = (usize, usize)>) -> Self {
        let nodes = nodes.min(MOST);
        let (mut successors, mut predecessors) = (vec![Vec::new(); nodes], vec![Vec::new(); nodes]);
        for (from, to) in edges.into_iter().filter(|(from, to)| *from < nodes && *to < nodes) {
            successors[from].push(to);
            predecessors[to].push(from);
        }
        let mut before: Vec<Before<'_>> = Vec::new();
        for node in &predecessors {
            before.push([node, &[], &[], &[], &[], &[], &[], &[], &[]]);
        }
        let mut ancestors = vec![IndexSet::EMPTY; nodes];
        // A cycle is reported by its nodes.
        let _ = order::close(&before, &mut ancestors);
        Self { successors, ancestors }
    }

    /// Whether a path with at least one edge leads from `from` to `to`.
    pub(crate) fn reaches(&self, from: usize, to: usize) -> bool {
        self.ancestors.get(to).is_some_and(|ancestors| ancestors.contains(from))
    }

    /// Whether a path leads from one of the nodes to the other, in either direction.
    pub(crate) fn ordered(&self, a: usize, b: usize) -> bool {
        self.reaches(a, b) || self.reaches(b, a)
    }

    /// One cycle for each strongly connected component with a cycle: a shortest one through the component's
    /// lowest node, which comes first. Each node has an edge to the next one, and the last to the first.
    pub(crate) fn cycles(&self) -> Vec<Vec<usize>> {
        let knots = (0..self.successors.len()).filter(|node| {
            let same_knot = |lower| self.reaches(lower, *node) && self.reaches(*node, lower);
            self.reaches(*node, *node) && !(0..*node).any(same_knot)
        });
        knots.map(|start| self.path(start, start)).collect()
    }

    /// The nodes of a shortest path of at least one edge from `start` to `end`, without the last node. `start`
    /// must reach `end`. The search is breadth first.
    pub(crate) fn path(&self, start: usize, end: usize) -> Vec<usize> {
        let mut predecessor = vec![None; self.successors.len()];
        let mut queue = VecDeque::from([start]);
        while predecessor[end].is_none()
            && let Some(node) = queue.pop_front()
        {
            for next in &self.successors[node] {
                if predecessor[*next].is_none() {
                    predecessor[*next] = Some(node);
                    queue.push_back(*next);
                }
            }
        }
        let mut path = Vec::new();
        let mut node = predecessor[end];
        while let Some(current) = node
            && current != start
        {
            path.push(current);
            node = predecessor[current];
        }
        path.push(start);
        path.reverse();
        path
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_is_transitive_and_directed() {
        let graph = Graph::new(5, [(0, 1), (1, 2), (0, 3)]);
        assert!(graph.reaches(0, 2) && !graph.reaches(2, 0) && graph.ordered(2, 0));
        assert!(!graph.ordered(2, 3), "two branches have no order");
        assert!(!graph.ordered(0, 4) && !graph.reaches(0, 0));
        assert!(graph.cycles().is_empty());
    }

    #[test]
    fn a_diamond_is_no_cycle() {
        let graph = Graph::new(4, [(0, 1), (0, 2), (1, 3), (2, 3), (0, 3), (0, 3)]);
        assert!(graph.reaches(0, 3) && !graph.ordered(1, 2));
        assert!(graph.cycles().is_empty());
    }

    #[test]
    fn each_knot_shows_its_shortest_cycle_once() {
        // 1 → 2 → 3 → 1 with the shortcut 2 → 1; 4 ↔ 5; 0 leads into both; 6 to itself.
        let edges = [(0, 1), (1, 2), (2, 3), (3, 1), (2, 1), (0, 4), (4, 5), (5, 4), (6, 6)];
        assert_eq!(Graph::new(7, edges).cycles(), [vec![1, 2], vec![4, 5], vec![6]]);
    }

    #[test]
    fn a_cycle_is_in_the_order_of_its_edges() {
        let graph = Graph::new(4, [(2, 0), (0, 3), (3, 1), (1, 2)]);
        assert_eq!(graph.cycles(), [[0, 3, 1, 2]]);
        assert!(graph.ordered(0, 0));
    }

    #[test]
    fn a_path_is_a_shortest_one() {
        let graph = Graph::new(5, [(0, 1), (1, 2), (2, 3), (1, 3), (3, 4)]);
        assert_eq!(graph.path(0, 4), [0, 1, 3]);
        assert_eq!(graph.path(0, 1), [0]);
    }

    #[test]
    fn a_long_chain_is_within_reach() {
        let graph = Graph::new(1024, (1..1024).map(|node| (node - 1, node)));
        assert!(graph.reaches(0, 1023) && !graph.reaches(1023, 0));
        assert!(Graph::new(0, []).cycles().is_empty());
    }
}
