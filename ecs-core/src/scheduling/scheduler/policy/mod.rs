//! Policies: whether all threads share a piece of a step's work, or the calling thread does it.
//!
//! A piece is the execution of the nodes of a phase, or a stage of a refresh. Which [`Policy`] decides depends on
//! the threads that there are ([`Policies::of`]): [`ShareAll`], [`ShareNone`], or [`Adaptive`], which measures.
//!
//! Results do not depend on any of this: systems are split alike, whichever thread runs the pieces.

mod adaptive;
mod costs;

use std::time::Duration;

use super::Dag;
use crate::parallel::Available;
use adaptive::Adaptive;
pub(super) use costs::Costs;

/// Decides whether pieces of work are shared.
pub(crate) trait Policy {
    /// How to execute these nodes.
    fn plan(&mut self, execution: Execution<'_>) -> Plan;

    /// Adds the time of an execution whose plan [asked for it](Plan::is_calibrating), including the waking of other
    /// threads.
    fn add_time(&mut self, _time: Duration) {}

    /// Begins a refresh. Returns whether to run all of its stages on the threads together, because they are likely to be
    /// shared. O(1).
    fn begin_refresh(&mut self) -> bool;

    /// Whether to share a stage of a refresh that handles `entities` entities. O(1).
    fn shares(&mut self, entities: usize) -> bool;

    /// Ends a refresh that took `time`. O(1).
    fn end_refresh(&mut self, _time: Duration) {}
}

/// The nodes of a phase that are to be executed.
pub(crate) struct Execution<'a> {
    pub(super) costs: &'a mut Costs,
    pub(super) nodes: Nodes<'a>,
    /// Which of the nodes take part. `None` if all do.
    pub(super) included: Option<&'a dyn Fn(usize) -> bool>,
    /// The number of entities in the world.
    pub(super) entities: usize,
}

/// The nodes of a phase, and the threads for them.
#[derive(Clone, Copy)]
pub(super) struct Nodes<'a> {
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
struct ShareAll;

impl Policy for ShareAll {
    fn plan(&mut self, _: Execution<'_>) -> Plan {
        Plan::EAGER
    }

    fn begin_refresh(&mut self) -> bool {
        true
    }

    fn shares(&mut self, _: usize) -> bool {
        true
    }
}

/// Shares nothing: there is one thread.
#[derive(Debug, Default)]
struct ShareNone;

impl Policy for ShareNone {
    fn plan(&mut self, _: Execution<'_>) -> Plan {
        Plan::ALONE
    }

    fn begin_refresh(&mut self) -> bool {
        false
    }

    fn shares(&mut self, _: usize) -> bool {
        false
    }
}

/// The policies of a world.
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
