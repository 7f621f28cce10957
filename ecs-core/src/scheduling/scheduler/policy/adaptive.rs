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

use super::costs::{PERIOD, WORTH};
use super::{Execution, Measured, Plan, Policy};

/// The number of sizes that are calibrated, each twice the one before, from [`WORTH`] on.
const SIZES: usize = 12;

/// Work of as many nanoseconds is shared without a calibration: one thread alone would take noticeably long.
pub(super) const LARGE: u64 = WORTH << SIZES;

/// The number of samples per mode. The median counts, because any sample may be disturbed.
const SAMPLES: usize = 5;

/// The uncounted runs before the samples of each mode, alone and shared. Data may be in the caches of other
/// cores; threads wake up and spread over the cores, which takes longer.
const UNCOUNTED: [usize; 2] = [3, 20];

/// The runs of a calibration that are shared, which come first, and those alone.
const SHARED_RUNS: usize = UNCOUNTED[1] + SAMPLES;
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

/// The estimated work of a refresh per entity, in nanoseconds.
const ENTITY: u64 = 16;

/// A stage with fewer entities, or changed blocks, runs on the calling thread.
const MUCH: usize = 512;

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
        let [alone, shared] = self.times.map(|mut times| {
            times.sort_unstable_by(f32::total_cmp);
            times[SAMPLES / 2]
        });
        let least = self.times[0][..FEW].iter().copied().fold(f32::MAX, f32::min);
        let is_clear = !is_last && shared < CLEARLY * least;
        if !is_last && !is_clear {
            return;
        }
        let alone = if is_clear { least } else { alone };
        let best = alone.min(shared).max(f32::MIN_POSITIVE);
        let slower = (alone - shared).abs() / best;
        let pays = shared < BETTER * alone;
        let slow_runs = match (shared > alone, is_clear) {
            (true, _) => SHARED_RUNS,
            (false, true) => FEW,
            (false, false) => ALONE_RUNS,
        };
        let is_new = Some(pays) != self.shared;
        let confirmed = if is_new { 0 } else { (self.confirmed + 1).min(CONFIRMED) };
        let lost = if is_new { 0.0 } else { slower * slow_runs as f32 };
        let until = ((PERIOD as f32 * lost) as u32).clamp(PERIOD << confirmed, LONGEST);
        *self = Self { shared: Some(pays), until, confirmed, ..Self::default() };
    }
}

/// What is known of the current step.
#[derive(Debug, Default)]
struct Step {
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
    step: Step,
    /// About the most work of a recent step.
    usual: u64,
    /// The number of large stages of this refresh, or of the last one, and their work.
    stages: usize,
    refresh: u64,
}

impl Policy for Adaptive {
    fn plan(&mut self, execution: Execution<'_>) -> Plan {
        let Execution { costs, nodes, included, entities } = execution;
        let plan = costs.plan(entities);
        if plan.is_simple() {
            return plan;
        }
        match costs.work_to_share(nodes, included) {
            Some(work) => self.plan_for(plan, work),
            None => Plan { alone: true, ..plan },
        }
    }

    fn add_time(&mut self, time: Duration) {
        self.step.time += time;
    }

    fn begin_refresh(&mut self) -> bool {
        let (stages, work) = (take(&mut self.stages), take(&mut self.refresh));
        stages > 1 && self.choose(work).0
    }

    fn shares(&mut self, entities: usize) -> bool {
        if entities < MUCH {
            return false;
        }
        let work = entities as u64 * ENTITY;
        (self.stages, self.refresh) = (self.stages + 1, self.refresh + work);
        // Far more work than recent steps had is always shared.
        let is_usual = work / 4 <= self.usual;
        self.step.disturbed |= !is_usual;
        self.choose(work).0 || !is_usual
    }

    fn end_refresh(&mut self, time: Duration) {
        if self.stages > 0 {
            self.step.work = self.step.work.saturating_add(self.refresh);
            self.step.time += time;
        }
    }
}

impl Adaptive {
    /// Begins a step.
    #[inline]
    pub(super) fn begin(&mut self) {
        if self.step.decision.is_some() || self.step.disturbed {
            self.step = Step::default();
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
            self.end_anew();
        }
    }

    #[inline(never)]
    fn end_anew(&mut self) {
        let Step { decision, work, time, disturbed } = take(&mut self.step);
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
