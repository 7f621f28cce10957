//! What nodes have cost, and whether it pays to wake other threads for them.
//!
//! To have another thread take a piece of work costs a microsecond if it is awake, and some ten, or far more, if it
//! sleeps; a graph of tiny nodes takes less than that altogether. So one execution in [`PERIOD`] is measured: as a whole, and
//! node by node if it is not short. With the graph, which is known, the costs of nodes tell what the threads
//! could save at best: the time of all nodes one after the other, less that of the longest way through the
//! graph. If that is little, nodes are executed by one thread, in an order that the graph permits,
//! without any scheduler. Otherwise it is [tried](super::AdaptiveParallelism) whether threads do save that, unless it is so much that
//! there is no doubt; and a node that is small by itself at least does not hand out its subtasks.
//!
//! None of that shows in a result: systems are split alike, whoever runs the pieces.

use core::ops::RangeInclusive;
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::{Duration, Instant};

use super::Dag;

/// One execution in so many is measured, where it is not tried what pays. It is a prime number, so that of several executions in
/// a step each has its turn.
const PERIOD: u32 = 61;

/// Where it is tried, nodes are measured then. But it may be that they are always shared, so after so many periods they are
/// measured in any case.
const OVERDUE: u32 = 8;

/// The calling thread goes on alone as long as other threads could save no more nanoseconds than that.
const WORTH: u64 = 2_500;

/// Other threads are asked as long as they save more nanoseconds than that.
const STILL_WORTH: u64 = 1_500;

/// After how many executions the next one is measured if something is not known yet; even, for the reason
/// that [`PERIOD`] is prime.
const SOON: u32 = 2;

/// Nodes of fewer nanoseconds altogether are measured when they are executed by the calling thread, as they are where it is
/// tried what pays: what it takes to wake others, and to wait for them, would count for the nodes.
const PROBED: u64 = 8_000_000;

/// A node of fewer nanoseconds has its subtasks run one after the other.
const SMALL: u64 = 4_000;

/// Entities up to which a world that was never measured is taken to be small.
const FEW: usize = 1_000;

/// Up to so many, nodes are measured by the calling thread when there are suddenly far more; beyond, that might take long.
const MANY: usize = 20_000;

/// The costs of the nodes of a graph.
#[derive(Debug)]
pub(super) struct Costs {
    /// Per node: the nanoseconds of its work, as last measured.
    nanos: Box<[AtomicU32]>,
    /// Per node: whether it makes subtasks.
    splits: Box<[bool]>,
    /// Working memory: per node the earliest time at which it can be done.
    done: Box<[u64]>,
    alone: bool,
    /// Whether an execution by the calling thread alone takes so little that its nodes do not matter.
    short: bool,
    /// The last measurement says that other threads are worth it, but it may have been disturbed: the next one decides.
    suspected: bool,
    /// The nanoseconds of all nodes, as last measured; at least, if that was while so many threads shared them.
    work: u64,
    by: u64,
    until_measured: u32,
    /// How many periods have gone by without it.
    overdue: u32,
    /// With so many entities, the last measurement holds.
    usual: RangeInclusive<usize>,
}

/// How the next execution is to be done.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    /// By the calling thread alone.
    pub(crate) alone: bool,
    /// Nodes hand out their subtasks, however small they are.
    pub(super) eager: bool,
    pub(super) measured: Measured,
}

/// What of an execution is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Measured {
    Nothing,
    /// All of it, to see whether it is short still.
    Whole,
    /// All of it, to see which way is faster.
    Calibrating,
    Nodes,
    /// The nodes, whether it is shared or not: that is still to be decided.
    Overdue,
}

impl Plan {
    /// Everything is handed out.
    pub(super) const EAGER: Self = Self { alone: false, eager: true, measured: Measured::Nothing };

    /// There is one thread only.
    pub(super) const ALONE: Self = Self { alone: true, eager: false, measured: Measured::Nothing };

    /// Whether the calling thread is to run the nodes one after the other, and no more.
    #[inline]
    pub(crate) fn is_simple(self) -> bool {
        self.alone && matches!(self.measured, Measured::Nothing | Measured::Whole)
    }

    /// Whether [somebody](super::AdaptiveParallelism::add) is to be told how long it took as a whole.
    pub(crate) fn is_calibrating(self) -> bool {
        self.measured == Measured::Calibrating
    }
}

impl Costs {
    /// Of so many nodes; `splits` says which ones make subtasks.
    pub(super) fn new(nodes: usize, splits: impl Fn(usize) -> bool) -> Self {
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

    /// How to do the next execution, in a world with so many entities. O(1).
    ///
    /// When there are far more of them than at the last measurement, it is taken that there is enough to do.
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
            // Who leaves the range so soon may come back as soon.
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

    /// What all nodes have cost; if they were shared, at least.
    pub(super) fn work(&self) -> u64 {
        self.work
    }

    /// Calls `f`, which is an execution by the calling thread alone, as a whole. If it takes long, the nodes
    /// of the next one are measured.
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

    /// Calls `f` with whether the node is to hand out its subtasks, and keeps in mind how long that took if
    /// the plan says so.
    ///
    /// A thread that waits for a subtask may run other pieces of work meanwhile, which then count for this
    /// node, too: it seems to be worth sharing rather than not.
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

    /// Whether it pays to hand out the node's subtasks; a node that was never measured gets the chance.
    fn is_worth_splitting(&self, node: usize) -> bool {
        let nanos = u64::from(self.nanos[node].load(Relaxed));
        nanos == 0 || nanos >= SMALL
    }

    fn note(&self, node: usize, work: Duration) {
        // Not 0, which is for those that were never measured.
        let nanos = u32::try_from(work.as_nanos()).unwrap_or(u32::MAX).max(1);
        self.nanos[node].store(nanos, Relaxed);
    }

    /// After an execution of the nodes that are `included`: decides how to go on. O(nodes + edges) if it was
    /// measured.
    ///
    /// Other threads are asked if two measurements say so, one after the other: whoever is interrupted takes long. Nodes
    /// that are not included have cost what they did the last time. As long as one of them was never
    /// measured, nothing is decided, but that such nodes are to be measured soon.
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
            // What is measured while it is shared is no more than this.
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

    /// What the nodes that are `included` have cost, at least, if by that an execution of them is worth sharing.
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

    /// How many nanoseconds so many threads could save of the time of one, at best. The nodes come each after
    /// those that it depends on.
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
