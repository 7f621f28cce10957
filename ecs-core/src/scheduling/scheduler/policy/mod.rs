//! Policies: whether all threads share a piece of a step's work, or the calling thread does it.
//!
//! A piece is the execution of the nodes of a phase, or a stage of a refresh. Which [`Policy`] decides depends on
//! the threads of the world ([`Policies::of`]): [`ShareAll`], [`ShareNone`], or [`Adaptive`], which measures.
//!
//! Results do not depend on any of this: systems are split alike, whichever thread runs the pieces.

mod adaptive;
mod costs;

use std::time::Duration;

use super::Dag;
use crate::parallel::{Available, Threads, Workers};
use adaptive::Adaptive;
pub(super) use costs::Costs;

/// The calling thread continues alone while other threads could save less than this, in nanoseconds.
const WORTH: u64 = 2_500;

/// The number of sizes of work that are calibrated, each twice the one before, from [`WORTH`] on.
const SIZES: usize = 12;

/// Work of at least this many nanoseconds is shared without a calibration: one thread alone would take noticeably long.
const LARGE: u64 = WORTH << SIZES;

/// One execution in this many is measured, and one part in this many of the time is lost to calibrations. It is prime, so that
/// with several executions in a step each is measured at times.
const PERIOD: u32 = 61;

/// Decides whether pieces of work are shared.
pub(crate) trait Policy {
    /// How to execute these nodes. O(1), or O(nodes + edges) where only some of them take part.
    fn plan(&mut self, execution: PhaseExecution<'_>) -> Plan;

    /// Adds the time of an execution whose plan [asked for it](Plan::is_calibrating), including the waking of other
    /// threads.
    fn add_time(&mut self, _time: Duration) {}

    /// Begins a refresh. Returns whether to run all of its stages on the threads together, because they are likely to be
    /// shared. O(1).
    fn begin_refresh(&mut self) -> bool;

    /// Whether to share a stage of a refresh, or one after edits of a world, of as many pieces: entities, changes, or, where
    /// systems are matched, changed blocks. O(1).
    fn shares(&mut self, pieces: usize) -> bool;

    /// Ends a refresh that took `time`. O(1).
    fn end_refresh(&mut self, _time: Duration) {}
}

/// The nodes of a phase that are to be executed.
pub(crate) struct PhaseExecution<'a> {
    pub(super) costs: &'a mut Costs,
    pub(super) graph: PhaseGraph<'a>,
    /// Which of the nodes take part. `None` if all do.
    pub(super) included: Option<&'a dyn Fn(usize) -> bool>,
    /// The number of entities in the world.
    pub(super) entities: usize,
}

/// The nodes of a phase, and the threads for them.
#[derive(Clone, Copy)]
pub(super) struct PhaseGraph<'a> {
    pub(super) dag: &'a Dag,
    /// In topological order.
    pub(super) order: &'a [usize],
    /// The number of threads.
    pub(super) threads: usize,
}

/// How to run an execution.
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
}

impl Plan {
    /// Everything is forked.
    pub(super) const EAGER: Self = Self { alone: false, eager: true, measured: Measured::Nothing };

    /// The calling thread runs all nodes.
    pub(super) const ALONE: Self = Self { alone: true, eager: false, measured: Measured::Nothing };

    /// Whether the calling thread just runs the nodes one after the other.
    #[inline]
    pub(crate) fn is_simple(self) -> bool {
        self.alone && matches!(self.measured, Measured::Nothing | Measured::Whole)
    }

    /// Whether the total time is to be [reported](Policy::add_time).
    pub(crate) fn is_calibrating(self) -> bool {
        self.measured == Measured::Calibrating
    }
}

/// Shares everything, however small it is.
#[derive(Debug, Default)]
struct ShareAll {
    /// The number of stages of this refresh, and of the last one.
    stages: usize,
    last_stages: usize,
}

impl Policy for ShareAll {
    fn plan(&mut self, _: PhaseExecution<'_>) -> Plan {
        Plan::EAGER
    }

    fn begin_refresh(&mut self) -> bool {
        self.stages = 0;
        self.last_stages > 1
    }

    fn shares(&mut self, _: usize) -> bool {
        self.stages += 1;
        true
    }

    fn end_refresh(&mut self, _: Duration) {
        self.last_stages = self.stages;
    }
}

/// Shares nothing: there is one thread.
#[derive(Debug, Default)]
struct ShareNone;

impl Policy for ShareNone {
    fn plan(&mut self, _: PhaseExecution<'_>) -> Plan {
        Plan::ALONE
    }

    fn begin_refresh(&mut self) -> bool {
        false
    }

    fn shares(&mut self, _: usize) -> bool {
        false
    }
}

/// The policies of a world. Only adaptive parallelism has something to do where a step begins and ends.
#[derive(Debug, Default)]
pub(crate) struct Policies {
    adaptive: Adaptive,
    all: ShareAll,
    none: ShareNone,
}

impl Policies {
    /// The policy for these threads.
    pub(crate) fn of(&mut self, threads: Available) -> &mut dyn Policy {
        match threads {
            Available { are_eager: true, .. } => &mut self.all,
            Available { count: 1, .. } => &mut self.none,
            _ => &mut self.adaptive,
        }
    }

    /// Calls `f`, a stage of as many [pieces](Policy::shares), with all threads or with the calling thread alone.
    pub(crate) fn share<R: Send>(
        &mut self,
        threads: &Threads,
        pieces: usize,
        f: impl FnOnce(&Workers) -> R + Send,
    ) -> R {
        let is_shared = threads.threads() > 1 && self.of(threads.available()).shares(pieces);
        if is_shared { threads.run(f) } else { f(&Workers::inline()) }
    }

    /// Begins a step, whether the last one [ended](Self::end_step) or panicked. O(1).
    #[inline]
    pub(crate) fn begin_step(&mut self) {
        self.adaptive.begin();
    }

    /// Marks the times of this step as not representative.
    pub(crate) fn disturb_step(&mut self) {
        self.adaptive.disturb();
    }

    /// Ends a step. O(1).
    #[inline]
    pub(crate) fn end_step(&mut self) {
        self.adaptive.end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_threads_choose_the_policy() {
        let mut policies = Policies::default();
        let mut two_stages = |count, are_eager| {
            let policy = policies.of(Available { count, are_eager, contain_current: true });
            let shares = [1, 1_000_000].map(|pieces| policy.shares(pieces));
            policy.begin_refresh();
            (0..2).for_each(|_| _ = policy.shares(1_000_000));
            policy.end_refresh(Duration::from_micros(1));
            (shares, policy.begin_refresh())
        };
        for eager in [1, 2] {
            assert_eq!(two_stages(eager, true), ([true; 2], true));
        }
        assert_eq!(two_stages(1, false), ([false; 2], false));
        assert_eq!(two_stages(2, false), ([false, true], true));
    }
}
