//! Measured costs of nodes, and the decision whether it pays to wake other threads for them.
//!
//! Handing work to another thread costs about 1 µs if that thread is awake, and far more if it sleeps. So some
//! executions are measured: as a whole while they are short, else node by node. The graph and the costs of its
//! nodes tell what threads could save at best: the time of all nodes, less that of the critical path.
//!
//! - If that is little, one thread executes the nodes in a topological order, without a scheduler.
//! - Otherwise [both modes are timed](super::Adaptive). A small node does not fork its subtasks.

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::{Duration, Instant};

use super::{LARGE, Measured, PERIOD, PhaseGraph, Plan, WORTH};

/// One execution in this many is measured where work may be shared: it is measured on one thread, which takes far longer. It is
/// prime, as [`PERIOD`] is.
const SHARED_PERIOD: u32 = 487;

/// How many measurements in a row wait for nodes without a cost. Such a node then counts as one that is never executed.
const MAX_UNKNOWN: u32 = 8;

/// More entities than this, and twice those of before, are shared before their work is measured.
const MIN_GROWN: usize = 20_000;

/// The costs of the nodes of a graph.
#[derive(Debug, Default)]
pub(in super::super) struct Costs {
    /// Per node: its work in nanoseconds, as last measured; 0 before.
    nanos: Box<[AtomicU32]>,
    /// Per node: whether it forks subtasks.
    splits: Box<[bool]>,
    /// Working memory, per node: the earliest time at which it can be done.
    done: Box<[u64]>,
    /// Whether the calling thread executes all nodes.
    alone: bool,
    /// Whether the last execution that was measured as a whole was not short.
    long: bool,
    /// The nanoseconds of all nodes, as last measured.
    work: u64,
    /// Whether the work is certainly so [large](LARGE) that one thread is not to measure it.
    is_large: bool,
    /// The number of executions before the next one that is measured.
    until_measured: u32,
    /// The number of measurements in a row that left nodes unknown.
    unknown: u32,
    /// More entities than this are a sudden growth.
    most: usize,
}

impl Costs {
    /// Costs of `nodes` nodes. `splits` says which ones fork subtasks.
    pub(in super::super) fn new(nodes: usize, splits: &dyn Fn(usize) -> bool) -> Self {
        Self {
            nanos: (0..nodes).map(|_| AtomicU32::new(0)).collect(),
            splits: (0..nodes).map(splits).collect(),
            done: vec![0; nodes].into(),
            alone: true,
            most: MIN_GROWN,
            ..Self::default()
        }
    }

    /// Whether the next execution, in a world of `size` entities, is one more that the calling thread just runs, and counts it
    /// then. Only others need a [plan](Self::plan). O(1).
    #[inline]
    pub(in super::super) fn goes_on_alone(&mut self, size: usize) -> bool {
        let goes_on = self.alone && self.until_measured > 0 && size <= self.most;
        self.until_measured -= u32::from(goes_on);
        goes_on
    }

    /// How to run the next execution, in a world of `size` entities, which does not just [go on](Self::goes_on_alone). O(1).
    pub(super) fn plan(&mut self, size: usize) -> Plan {
        let grown = size > self.most;
        let is_due = self.until_measured == 0;
        if !is_due && !grown {
            self.until_measured -= 1;
            return Plan { alone: self.alone, ..Plan::ALONE };
        }
        self.alone &= !grown;
        self.most = MIN_GROWN.max(2 * size);
        self.until_measured = if self.alone { PERIOD - 1 } else { SHARED_PERIOD - 1 };
        let measured = if self.alone && !self.long { Measured::Whole } else { Measured::Nodes };
        // Alone, as waiting for other threads would count as a cost of nodes, unless that might take long.
        Plan { alone: self.alone || (!grown && !self.is_large), eager: false, measured }
    }

    /// Calls `f`, which is a whole execution by the calling thread alone. If it takes long, nodes are measured:
    /// not in the next execution but one later, as two sorts of them may alternate.
    #[inline]
    pub(in super::super) fn run_whole<R>(&mut self, plan: Plan, f: impl FnOnce() -> R) -> R {
        let start = (plan.measured == Measured::Whole).then(Instant::now);
        let result = f();
        if start.is_some_and(|start| start.elapsed() >= Duration::from_nanos(WORTH)) {
            (self.long, self.until_measured) = (true, 1);
        }
        result
    }

    /// Calls `f` with whether the node is to fork its subtasks, and records its time if the plan says so.
    ///
    /// A thread that waits for a subtask may run other pieces of work meanwhile. Their time then counts for
    /// this node too, so an error makes sharing look better, not worse.
    #[inline]
    pub(in super::super) fn run<R>(
        &self,
        plan: Plan,
        node: usize,
        threads: usize,
        f: impl Fn(bool) -> R,
    ) -> R {
        let nanos = u64::from(self.nanos[node].load(Relaxed));
        // A node that was never measured may be large.
        let split = plan.eager || (!plan.alone && (nanos == 0 || nanos >= 2 * WORTH));
        if plan.measured != Measured::Nodes {
            return f(split);
        }
        let start = Instant::now();
        let result = f(split);
        let shared = split && self.splits[node];
        self.note(node, start.elapsed() * if shared { threads as u32 } else { 1 });
        result
    }

    pub(super) fn note(&self, node: usize, work: Duration) {
        // Not 0, which marks nodes that were never measured.
        let nanos = u32::try_from(work.as_nanos()).unwrap_or(u32::MAX).max(1);
        self.nanos[node].store(nanos, Relaxed);
    }

    /// Decides how to continue, after an execution of some nodes. O(nodes + edges) if it was measured.
    ///
    /// While a node was never measured, or after a growth of less than large work, the next measurement comes
    /// soon. Several sorts of executions may take turns, each with other nodes. With four executions in between, the fifth one
    /// from here is measured, which is one of another sort, if there are two, three or four. If nodes stay unknown, nothing
    /// runs them.
    pub(in super::super) fn learn(&mut self, plan: Plan, graph: PhaseGraph<'_>) {
        if plan.measured != Measured::Nodes {
            return;
        }
        let cost = |&node: &usize| u64::from(self.nanos[node].load(Relaxed));
        self.work = graph.order.iter().map(cost).sum();
        // What a node that was shared takes on one thread is known to a factor of the number of threads.
        let is_known = |node: usize| plan.alone || self.is_large || !self.splits[node];
        let least =
            |node: &usize| cost(node) / if is_known(*node) { 1 } else { graph.threads as u64 };
        self.is_large = graph.order.iter().map(least).sum::<u64>() >= LARGE;
        let is_unknown = graph.order.iter().any(|node| cost(node) == 0);
        self.unknown = if is_unknown { self.unknown.saturating_add(1) } else { 0 };
        if (1..=MAX_UNKNOWN).contains(&self.unknown) {
            self.until_measured = 4;
            return;
        }
        if !plan.alone && !self.is_large {
            self.until_measured = 1;
            return;
        }
        self.long = self.work >= WORTH;
        self.alone = self.saved(graph, &|_| true) < WORTH;
    }

    /// The work of the nodes that are `included`, if an execution of them is worth sharing. O(1) for all of them, else
    /// O(nodes + edges).
    pub(super) fn work_to_share(
        &mut self,
        graph: PhaseGraph<'_>,
        included: Option<&dyn Fn(usize) -> bool>,
    ) -> Option<u64> {
        let Some(included) = included else { return (!self.alone).then_some(self.work) };
        let is_worth_it = self.saved(graph, included) >= WORTH;
        let of = graph.order.iter().filter(|&&node| included(node));
        is_worth_it.then(|| of.map(|&node| u64::from(*self.nanos[node].get_mut())).sum())
    }

    /// The nanoseconds that the threads could save of the time of one, at best.
    fn saved(&mut self, graph: PhaseGraph<'_>, included: &dyn Fn(usize) -> bool) -> u64 {
        let PhaseGraph { dag, order, threads } = graph;
        let threads = threads as u64;
        let (mut work, mut longest) = (0, 0);
        for &node in order {
            let before = dag.dependencies(node).iter().map(|&before| self.done[before]).max();
            let cost = if included(node) { u64::from(*self.nanos[node].get_mut()) } else { 0 };
            let shared = cost >= 2 * WORTH && self.splits[node];
            self.done[node] = before.unwrap_or(0) + if shared { cost / threads } else { cost };
            longest = longest.max(self.done[node]);
            work += cost;
        }
        work - longest.max(work / threads)
    }
}

#[cfg(test)]
mod tests;
