//! The edges of the graph: which system waits for which, and why.

use core::fmt;

use crate::scheduling::scheduler::Dag;
use crate::signature::SystemSignature;
use crate::types::IndexSet;

/// One system waits for another, or receives its stream.
///
/// ```
/// # use ecs_core::{description::Description, world};
/// world! {
///     world Day;
///     system Wake { run: |_| {} }
///     system Eat { dependencies: [Wake], run: |_| {} }
///     system Work { dependencies: [Eat], run: |_| {} }
/// }
/// let day = Description::of::<Day>();
/// let edges: Vec<_> = day.edges().iter().map(|edge| (edge.from(), edge.to())).collect();
/// assert_eq!(edges, [(0, 1), (1, 2)]);
/// assert!(!day.edges()[1].is_implied());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    from: usize,
    to: usize,
    kind: EdgeKind,
    implied: bool,
}

/// The key of the declaration by which one system waits for another. If there are several, it is the last of these.
///
/// ```
/// use ecs_core::description::{Description, EdgeKind};
/// # use ecs_core::world;
/// world! {
///     world Day;
///     system Wake { before: [Eat], run: |_| {} }
///     system Eat { output: u32, run: |data| *data.effects.output() = 3 }
///     system Work { inputs: [Eat], run: |_| {} }
/// }
/// let day = Description::of::<Day>();
/// let kinds: Vec<_> = day.edges().iter().map(|edge| edge.kind()).collect();
/// assert_eq!(kinds, [EdgeKind::Before, EdgeKind::Input]);
/// assert_eq!(kinds[1].to_string(), "input");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EdgeKind {
    /// `dependencies` of the waiting system.
    Dependency,
    /// `before` of the system that it waits for.
    Before,
    /// `inputs` of the waiting system: it reads the other one's state and outputs.
    Input,
    /// `sees` of the waiting system: a refresh comes between the two.
    Sees,
    /// `queries` of the waiting system: it reads the members of the other one, which is a query.
    Query,
    /// `streams` of the second system, which does not wait: it receives what the first one sends while both
    /// run. A system that waits for the first one waits for both.
    Stream,
}

impl fmt::Display for EdgeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Dependency => "dependency",
            Self::Before => "before",
            Self::Input => "input",
            Self::Sees => "sees",
            Self::Query => "query",
            Self::Stream => "stream",
        })
    }
}

impl Edge {
    getters! {
        /// The system that runs first, or sends, as a position in
        /// [`Description::systems`](super::Description::systems).
        from: usize = from;
        /// The system that waits for it, or receives what it sends.
        to: usize = to;
        /// The key of the declaration.
        kind: EdgeKind = kind;
        /// Whether the order also follows from other edges.
        is_implied: bool = implied;
    }
}

/// One edge for each pair of systems of which, by the tables, one waits for the other, sorted by the waiting
/// one.
pub(super) fn edges(systems: &[SystemSignature]) -> Vec<Edge> {
    let mut edges = Vec::new();
    for (to, system) in systems.iter().enumerate() {
        let declared = &system.declared;
        let mut waits_for = Vec::new();
        for &from in declared.after {
            let said_there = systems[from].declared.before.contains(&to);
            waits_for
                .push((from, if said_there { EdgeKind::Before } else { EdgeKind::Dependency }));
        }
        for (list, kind) in [
            (declared.inputs, EdgeKind::Input),
            (declared.sees, EdgeKind::Sees),
            (declared.queries, EdgeKind::Query),
            (declared.streams, EdgeKind::Stream),
        ] {
            waits_for.extend(list.iter().map(|&from| (from, kind)));
        }
        // The strongest kind first; `dedup_by_key` keeps it.
        waits_for.sort_unstable_by_key(|&(from, kind)| (from, core::cmp::Reverse(kind)));
        waits_for.dedup_by_key(|&mut (from, _)| from);
        let edge = |(from, kind)| Edge { from, to, kind, implied: false };
        edges.extend(waits_for.into_iter().map(edge));
    }
    edges
}

/// Marks each edge from an ancestor of another dependency of the same system.
pub(super) fn mark_implied(mut edges: Vec<Edge>, dag: &Dag) -> Vec<Edge> {
    let mut ancestors = vec![IndexSet::EMPTY; dag.len()];
    let mut further = ancestors.clone();
    for &node in dag.topological_order() {
        for &dependency in dag.dependencies(node) {
            further[node] = further[node].union(ancestors[dependency]);
        }
        ancestors[node] = further[node].union(IndexSet::of(dag.dependencies(node)));
    }
    for edge in &mut edges {
        edge.implied = further[edge.to].contains(edge.from);
    }
    edges
}
