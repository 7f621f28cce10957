//! Measured costs of nodes, and the decision whether it pays to wake other threads for them.
//!
//! Handing a piece of work to another thread costs about 1 µs if that thread is awake, and 10 µs or far more if
//! it sleeps. A graph of tiny nodes takes less than that in total. So one execution in [`PERIOD`] is measured:
//! as a whole, and node by node if it is not short. From the graph and the costs of its nodes follows what
//! threads could save at best: the time of all nodes in sequence, less that of the critical path.
//!
//! - If that is little, one thread executes the nodes in a topological order, without a scheduler.
//! - Otherwise it is [measured](super::AdaptiveParallelism) whether threads save that time, unless it is so
//!   much that there is no doubt. A node that is small by itself does not fork its subtasks.
//!
//! Results do not depend on any of this: systems are split alike, whichever thread runs the pieces.

use core::ops::RangeInclusive;
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::{Duration, Instant};

use super::Dag;

/// One execution in this many is measured where the mode is not being calibrated. It is prime, so that with
/// several executions in a step each is measured at times.
const PERIOD: u32 = 61;

/// During calibration nodes are measured when they run alone. They may never run alone, so after this many
/// periods they are measured in any case.
const OVERDUE: u32 = 8;

/// The calling thread continues alone while other threads could save less than this, in nanoseconds.
const WORTH: u64 = 2_500;

/// Other threads continue to be used while they save at least this, in nanoseconds.
const STILL_WORTH: u64 = 1_500;

/// The number of executions until the next measurement if a cost is not known yet. It is even, for the reason
/// that [`PERIOD`] is prime.
const SOON: u32 = 2;

/// Nodes of less than this in total, in nanoseconds, are measured while the calling thread runs them alone, as
/// in calibration: otherwise the waking of other threads, and waiting for them, would count as their cost.
const PROBED: u64 = 8_000_000;

/// A node of less than this, in nanoseconds, runs its subtasks one after the other.
const SMALL: u64 = 4_000;

/// A world that was never measured counts as small up to this number of entities.
const FEW: usize = 1_000;

/// If the number of entities grows suddenly, nodes are measured by the calling thread up to this number. Beyond
/// it, that might take long.
const MANY: usize = 20_000;

/// The costs of the nodes of a graph.
#[derive(Debug)]
pub(super) struct Costs {
    /// Per node: its work in nanoseconds, as last measured.
    nanos: Box<[AtomicU32]>,
    /// Per node: whether it forks subtasks.
    splits: Box<[bool]>,
    /// Working memory, per node: the earliest time at which it can be done.
    done: Box<[u64]>,
    alone: bool,
    /// Whether an execution by the calling thread alone is so short that its nodes need no measurement.
    short: bool,
    /// The last measurement says that other threads are worth it. It may have been disturbed, so the next one
    /// decides.
    suspected: bool,
    /// The nanoseconds of all nodes, as last measured, divided by the `by` threads that shared them: then it is
    /// a lower bound.
    pub(super) work: u64,
    by: u64,
    until_measured: u32,
    /// The number of periods without a measurement of nodes.
    overdue: u32,
    /// The numbers of entities for which the last measurement holds.
    usual: RangeInclusive<usize>,
}

/// How to run the next execution.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    /// On the calling thread alone.
    pub(crate) alone: bool,
    /// Nodes fork their subtasks, however small they are.
    pub(super) eager: bool,
    pub(super) measured: Measured,
}

/// What of an execution is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Measured {
    Nothing,
    /// The whole execution, to see whether it is still short.
    Whole,
    /// The whole execution, to see which mode is faster.
    Calibrating,
    Nodes,
    /// The nodes, whether shared or not, which is still to be decided.
    Overdue,
}

impl Plan {
    /// Everything is forked.
    pub(super) const EAGER: Self = Self { alone: false, eager: true, measured: Measured::Nothing };

    /// There is one thread only.
    pub(super) const ALONE: Self = Self { alone: true, eager: false, measured: Measured::Nothing };

    /// Whether the calling thread just runs the nodes one after the other.
    #[inline]
    pub(crate) fn is_simple(self) -> bool {
        self.alone && matches!(self.measured, Measured::Nothing | Measured::Whole)
    }

    /// Whether the total time is to be [reported](super::AdaptiveParallelism::add).
    pub(crate) fn is_calibrating(self) -> bool {
        self.measured == Measured::Calibrating
    }
}

impl Costs {
    /// Costs of `nodes` nodes. `splits` says which ones fork subtasks.
    pub(super) fn new(nodes: usize, splits: &dyn Fn(usize) -> bool) -> Self {
        Self {
            nanos: (0..nodes).map(|_| AtomicU32::new(0)).collect(),
            splits: (0..nodes).map(splits).collect(),
            done: vec![0; nodes].into(),
            alone: true,
            short: true,
            suspected: false,
            work: 0,
            by: 1,
            until_measured: 0,
            overdue: 0,
            usual: 0..=FEW,
        }
    }

    /// How to run the next execution, in a world of `size` entities. O(1).
    ///
    /// If there are far more entities than at the last measurement, the work counts as large.
    #[inline]
    pub(super) fn plan(&mut self, size: usize) -> Plan {
        if self.alone && self.until_measured > 0 && self.usual.contains(&size) {
            self.until_measured -= 1;
            return Plan::ALONE;
        }
        self.plan_anew(size)
    }

    #[inline(never)]
    fn plan_anew(&mut self, size: usize) -> Plan {
        let (is_usual, grown) = (self.usual.contains(&size), size > *self.usual.end());
        let is_due = !is_usual || self.until_measured == 0;
        if is_due {
            let usual = size.saturating_sub(FEW).div_ceil(2)..=FEW + 2 * size;
            // A size that leaves the range this early may come back as early.
            self.usual = if self.until_measured == 0 {
                usual
            } else {
                *self.usual.start().min(usual.start())..=*self.usual.end().max(usual.end())
            };
            self.until_measured = PERIOD;
            self.overdue += 1;
            self.alone &= !grown;
        }
        self.until_measured -= 1;
        let may_calibrate = (1..PROBED).contains(&self.work);
        let measured = match is_due {
            true if self.alone && self.short => Measured::Whole,
            true if self.alone || !is_usual || !may_calibrate => Measured::Nodes,
            true if self.overdue >= OVERDUE => Measured::Overdue,
            _ => Measured::Nothing,
        };
        let is_short = if grown { size <= MANY } else { may_calibrate };
        let probe = measured == Measured::Nodes && is_short;
        Plan { alone: self.alone || probe, eager: false, measured }
    }

    /// Calls `f`, which is a whole execution by the calling thread alone. If it takes long, the nodes of the
    /// next one are measured.
    #[inline]
    pub(super) fn run_whole<R>(&mut self, plan: Plan, f: impl FnOnce() -> R) -> R {
        let start = (plan.measured == Measured::Whole).then(Instant::now);
        let result = f();
        if start.is_some_and(|start| start.elapsed() >= Duration::from_nanos(WORTH)) {
            self.short = false;
            self.until_measured = 0;
        }
        result
    }

    /// Calls `f` with whether the node is to fork its subtasks, and records its time if the plan says so.
    ///
    /// A thread that waits for a subtask may run other pieces of work meanwhile. Their time then counts for
    /// this node too, so an error makes sharing look better, not worse.
    #[inline]
    pub(super) fn run<R>(
        &self,
        plan: Plan,
        node: usize,
        threads: usize,
        f: impl Fn(bool) -> R,
    ) -> R {
        let split = plan.eager || (!plan.alone && self.is_worth_splitting(node));
        if plan.measured != Measured::Nodes {
            return f(split);
        }
        let start = Instant::now();
        let result = f(split);
        let shared = split && self.splits[node];
        self.note(node, start.elapsed() * if shared { threads as u32 } else { 1 });
        result
    }

    /// Whether it pays to fork the node's subtasks. True for a node that was never measured.
    fn is_worth_splitting(&self, node: usize) -> bool {
        let nanos = u64::from(self.nanos[node].load(Relaxed));
        nanos == 0 || nanos >= SMALL
    }

    fn note(&self, node: usize, work: Duration) {
        // Not 0, which marks nodes that were never measured.
        let nanos = u32::try_from(work.as_nanos()).unwrap_or(u32::MAX).max(1);
        self.nanos[node].store(nanos, Relaxed);
    }

    /// Decides how to continue, after an execution of the nodes that are `included`. O(nodes + edges) if it was
    /// measured.
    ///
    /// Two measurements in a row must ask for other threads before they are used, because an interrupted thread
    /// takes long. Nodes that are not included keep their last cost. While one of them was never measured,
    /// nothing is decided, and the next measurement comes soon.
    pub(super) fn learn(
        &mut self,
        plan: Plan,
        dag: &Dag,
        nodes: &[usize],
        threads: usize,
        included: impl Fn(usize) -> bool,
    ) {
        if plan.measured == Measured::Nodes {
            self.overdue = 0;
            let unknown = |&node: &usize| !included(node) && self.nanos[node].load(Relaxed) == 0;
            if nodes.iter().any(unknown) {
                self.until_measured = self.until_measured.min(SOON);
                return;
            }
            self.work = self.nanos.iter_mut().map(|nanos| u64::from(*nanos.get_mut())).sum();
            self.short = self.work < WORTH;
            // Work that is measured while it is shared is at least this.
            self.by = if plan.alone { 1 } else { threads as u64 };
            self.work /= self.by;
            let saved = self.saved(dag, nodes, threads as u64, |_| true);
            let is_worth_it = saved >= if self.alone { WORTH } else { STILL_WORTH };
            if self.alone && is_worth_it && !self.suspected {
                self.suspected = true;
                self.until_measured = 0;
                return;
            }
            self.suspected = false;
            self.alone = !is_worth_it;
        }
    }

    /// The work of the nodes that are `included`, or a lower bound, if an execution of them is worth sharing.
    /// O(nodes + edges).
    pub(super) fn worth_sharing(
        &mut self,
        dag: &Dag,
        nodes: &[usize],
        threads: usize,
        included: impl Fn(usize) -> bool,
    ) -> Option<u64> {
        let is_worth_it = self.saved(dag, nodes, threads as u64, &included) >= WORTH;
        let costs = nodes.iter().filter(|&&node| included(node)).map(|&node| &self.nanos[node]);
        is_worth_it
            .then(|| costs.map(|nanos| u64::from(nanos.load(Relaxed))).sum::<u64>() / self.by)
    }

    /// The nanoseconds that `threads` threads could save of the time of one, at best. `nodes` is in topological
    /// order.
    fn saved(
        &mut self,
        dag: &Dag,
        nodes: &[usize],
        threads: u64,
        included: impl Fn(usize) -> bool,
    ) -> u64 {
        let (mut work, mut longest) = (0, 0);
        for &node in nodes {
            let before = dag.dependencies(node).iter().map(|&before| self.done[before]).max();
            let cost = if included(node) { u64::from(*self.nanos[node].get_mut()) } else { 0 };
            let shared = cost >= SMALL && self.splits[node];
            self.done[node] = before.unwrap_or(0) + if shared { cost / threads } else { cost };
            longest = longest.max(self.done[node]);
            work += cost;
        }
        work - longest.max(work / threads)
    }
}

#[cfg(test)]
mod tests;
