//! Adaptive parallelism: measures per step whether its work is done faster by all threads or by one.
//!
//! What other threads save can be predicted; the cost of waking them, and of finding the caches of another core,
//! cannot. So both modes are measured, and the faster one is used until both are measured again.
//!
//! One decision covers all executions and refreshes of a step, since data lies in the caches of the threads that
//! touched it: sharing some of them may gain nothing where sharing all gains half. The decision is made when a
//! step first has work to share. Each size of that work has its own calibration, so steps that alternate do too.

use core::mem::take;
use std::time::Duration;

use super::{Measured, PERIOD, PhaseExecution, Plan, Policy, SIZES, WORTH};

/// The number of samples per mode. The median counts, because any sample may be disturbed.
const SAMPLES: usize = 5;

/// The uncounted runs before the samples of each mode, alone and shared. Data may be in the caches of other
/// cores; threads wake up and spread over the cores, which takes longer.
const UNCOUNTED: [usize; 2] = [3, 20];

/// The runs of a calibration that are shared, which come first.
const SHARED_RUNS: usize = UNCOUNTED[1] + SAMPLES;

/// The runs of a calibration on one thread.
const ALONE_RUNS: usize = UNCOUNTED[0] + SAMPLES;

/// Sharing must take at most this part of the time alone, because it takes cores from other programs.
const BETTER: f32 = 0.95;

/// Sharing that takes less than this part of each of the first [`FEW`] times alone is better. Those may be longer than later
/// ones, as data is in the caches of other cores, but not by as much.
const CLEARLY: f32 = 0.7;

/// The runs on one thread after which sharing may be clearly better.
const FEW: usize = 2;

// The time of the run `SHARED_RUNS + i` is stored at the index `i`.
const _: () = assert!(SHARED_RUNS.is_multiple_of(SAMPLES));

/// How often confirmations double the least number of steps to the next calibration.
const CONFIRMED: u32 = 4;

/// The most steps between two calibrations.
const LONGEST: u32 = 1_000_000;

/// The estimated work of a stage of a refresh for one of its pieces, in nanoseconds.
const PIECE_NANOS: u64 = 16;

/// A stage with fewer pieces runs on the calling thread.
const MIN_PIECES: usize = 512;

/// Which mode is faster for steps of about one size.
#[derive(Clone, Copy, Debug, Default)]
struct Calibration {
    /// The faster mode, as last calibrated. `None` before.
    shared: Option<bool>,
    /// The number of steps before the next calibration.
    until: u32,
    /// The confirmations of this result in a row, at most [`CONFIRMED`].
    confirmed: u32,
    /// The runs of this calibration, first those that are shared.
    runs: usize,
    /// The last times per nanosecond of work, alone and shared.
    times: [[f32; SAMPLES]; 2],
}

impl Calibration {
    /// Whether the next step is shared, and whether it is timed.
    fn choose(&self) -> (bool, bool) {
        if self.until > 0 {
            return (self.shared == Some(true), false);
        }
        (self.runs < SHARED_RUNS, true)
    }

    /// Adds the time of a step of the calibration. The last one decides, or the second run on one thread if
    /// sharing is clearly better.
    ///
    /// The next calibration comes the later the more time this one has lost, so that one part in [`PERIOD`] of
    /// the time is lost. A new result is calibrated again after [`PERIOD`] steps. Each confirmation doubles this least number, up
    /// to [`CONFIRMED`] times: where both modes take about the same time, little is lost, but each change of the mode disturbs the
    /// caches.
    fn add(&mut self, shared: bool, time: f32) {
        self.times[usize::from(shared)][self.runs % SAMPLES] = time;
        self.runs += 1;
        let is_last = self.runs == SHARED_RUNS + ALONE_RUNS;
        if !is_last && self.runs != SHARED_RUNS + FEW {
            return;
        }
        let few = self.times[0][..FEW].iter().copied().fold(f32::MAX, f32::min);
        let [alone, shared] = self.times.map(|mut times| {
            times.sort_unstable_by(f32::total_cmp);
            times[SAMPLES / 2]
        });
        let alone = if is_last { alone } else { few };
        if !is_last && shared >= CLEARLY * alone {
            return;
        }
        // Infinite, or no number, if a time is 0; `until` has limits.
        let slower = (alone - shared).abs() / alone.min(shared);
        let slow_runs = if shared > alone { SHARED_RUNS } else { self.runs - SHARED_RUNS };
        let pays = shared < BETTER * alone;
        let is_new = Some(pays) != self.shared;
        let confirmed = if is_new { 0 } else { (self.confirmed + 1).min(CONFIRMED) };
        let lost = if is_new { 0.0 } else { slower * slow_runs as f32 };
        let until = ((PERIOD as f32 * lost) as u32).clamp(PERIOD << confirmed, LONGEST);
        *self = Self { shared: Some(pays), until, confirmed, ..Self::default() };
    }
}

/// What is known of the current step.
#[derive(Debug, Default)]
struct StepRecord {
    /// The size of the work that decided, whether it is shared, and whether it is timed. `None` until there is
    /// work to share.
    decision: Option<(usize, bool, bool)>,
    /// The work that could be shared, in nanoseconds on one thread, and the time that it took.
    work: u64,
    time: Duration,
    /// Whether the time is not to be used.
    disturbed: bool,
}

/// Shares the work of steps of which measurements have shown that it is faster.
#[derive(Debug, Default)]
pub(super) struct Adaptive {
    sizes: [Calibration; SIZES],
    step: StepRecord,
    /// About the most work of a recent step.
    usual: u64,
    /// The number of large stages of this refresh, and their work, and the same of the last one.
    stages: (usize, u64),
    last_stages: (usize, u64),
}

impl Policy for Adaptive {
    fn plan(&mut self, execution: PhaseExecution<'_>) -> Plan {
        let PhaseExecution { costs, graph, included, entities } = execution;
        let plan = costs.plan(entities);
        if plan.is_simple() {
            return plan;
        }
        match costs.work_to_share(graph, included) {
            Some(work) => self.plan_for(plan, work),
            None => Plan { alone: true, ..plan },
        }
    }

    fn add_time(&mut self, time: Duration) {
        self.step.time += time;
    }

    fn begin_refresh(&mut self) -> bool {
        // Stages between refreshes, as after edits of a world, do not count.
        self.stages = (0, 0);
        let (count, work) = self.last_stages;
        count > 1 && self.choose(work).0
    }

    fn shares(&mut self, pieces: usize) -> bool {
        if pieces < MIN_PIECES {
            return false;
        }
        let work = pieces as u64 * PIECE_NANOS;
        self.stages = (self.stages.0 + 1, self.stages.1 + work);
        // Far more work than recent steps had is always shared.
        let is_usual = work / 4 <= self.usual;
        self.step.disturbed |= !is_usual;
        self.choose(work).0 || !is_usual
    }

    fn end_refresh(&mut self, time: Duration) {
        self.last_stages = self.stages;
        if self.stages.0 > 0 {
            self.step.work = self.step.work.saturating_add(self.stages.1);
            self.step.time += time;
        }
    }
}

impl Adaptive {
    /// Begins a step.
    #[inline]
    pub(super) fn begin(&mut self) {
        if self.step.decision.is_some() || self.step.disturbed {
            self.step = StepRecord::default();
        }
    }

    /// Whether this step is shared, given the work that could be shared now, and whether it is timed.
    fn choose(&mut self, work: u64) -> (bool, bool) {
        if let Some((_, shared, timed)) = self.step.decision {
            return (shared, timed);
        }
        let Some(size) = (work / WORTH).checked_ilog2() else { return (false, false) };
        let size = size as usize;
        let (shared, timed) = self.sizes.get(size).map_or((true, false), Calibration::choose);
        self.step.decision = Some((size, shared, timed));
        (shared, timed)
    }

    /// How to run an execution with this much work to share, according to the costs of its nodes.
    fn plan_for(&mut self, plan: Plan, work: u64) -> Plan {
        self.step.work = self.step.work.saturating_add(work);
        let (shared, timed) = self.choose(work);
        if plan.measured == Measured::Nodes {
            self.step.disturbed = true;
            return plan;
        }
        let measured = if timed { Measured::Calibrating } else { Measured::Nothing };
        Plan { alone: !shared, measured, ..plan }
    }

    /// Marks the time of this step as not representative.
    pub(super) fn disturb(&mut self) {
        self.step.disturbed = true;
    }

    /// Ends a step.
    #[inline]
    pub(super) fn end(&mut self) {
        if self.step.work > 0 || self.step.decision.is_some() {
            self.end_with_work();
        }
    }

    #[inline(never)]
    fn end_with_work(&mut self) {
        let StepRecord { decision, work, time, disturbed } = take(&mut self.step);
        self.usual = work.max(self.usual - self.usual / 64);
        let Some((size, shared, timed)) = decision else { return };
        let Some(calibration) = self.sizes.get_mut(size) else { return };
        if timed && !disturbed && work > 0 {
            calibration.add(shared, time.as_nanos() as f32 / work as f32);
        }
        calibration.until = calibration.until.saturating_sub(u32::from(!timed));
    }
}

#[cfg(test)]
mod tests;
