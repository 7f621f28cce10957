//! Adaptive parallelism: decides per step whether its work is shared among all threads or done by one.
//!
//! Both modes are measured, and the faster one is used. One decision covers all executions and refreshes of a
//! step, for two reasons. Data that one of them touched is in the caches of the threads that touched it, and
//! threads that were awake recently wake up sooner. So sharing some of them may gain nothing where sharing all
//! of them gains half. The decision is made when a step first has work to share. Steps are told apart by the
//! amount of that work.

use std::time::Duration;

use super::Threads;
use super::calibration::{Calibrations, Choice, Mode};
use super::costs::{Measured, Plan};

/// The least work that is calibrated, in nanoseconds on one thread. Calibration applies up to 4,096 times as
/// much.
const LEAST: u64 = 2_000;

/// The estimated work of a refresh per entity, in nanoseconds.
const ENTITY: u64 = 16;

/// Decides how the steps of a world are run.
#[derive(Debug)]
pub(crate) struct AdaptiveParallelism {
    calibrations: Calibrations,
    step: Step,
    /// Whether nodes were measured on the calling thread alone since all was last shared.
    known: bool,
    /// About the most work of a recent step.
    usual: u64,
    /// The work of the large stages of the last refresh.
    refresh: u64,
}

/// What is known of the current step.
#[derive(Debug, Default)]
struct Step {
    /// How it is run, and the amount of work that decided it. `None` until there is work to share.
    decision: Option<(Choice, u64)>,
    /// The work that could be shared, as an estimate in nanoseconds on one thread, and the time that it took.
    work: u64,
    time: Duration,
    /// Whether nodes were measured on the calling thread alone.
    measures: bool,
    /// Whether the time is not to be used.
    disturbed: bool,
}

impl Default for AdaptiveParallelism {
    fn default() -> Self {
        Self {
            calibrations: Calibrations::new(LEAST),
            step: Step::default(),
            known: false,
            usual: 0,
            refresh: 0,
        }
    }
}

impl AdaptiveParallelism {
    /// Begins a step, whether the last one [ended](Self::end) or panicked. O(1).
    #[inline]
    pub(crate) fn begin(&mut self) {
        if self.step.decision.is_some() || self.step.disturbed {
            self.step = Step::default();
        }
    }

    /// The mode of this step, given the work that could be shared now.
    fn choose(&mut self, work: u64) -> Choice {
        if work < LEAST && self.step.decision.is_none() {
            return Choice { mode: Mode::Alone, calibrating: false };
        }
        self.step.decision.get_or_insert_with(|| (self.calibrations.choose(work), work)).0
    }

    /// How to run an execution with this much work to share, according to the costs of its nodes.
    pub(super) fn plan(&mut self, plan: Plan, work: u64) -> Plan {
        let Choice { mode, calibrating } = self.choose(work);
        self.step.work = self.step.work.saturating_add(work);
        let alone = mode == Mode::Alone;
        match plan.measured {
            Measured::Nothing => {}
            Measured::Overdue => {
                self.step.disturbed = true;
                return Plan { alone, measured: Measured::Nodes, ..plan };
            }
            _ => {
                self.step.disturbed = true;
                return plan;
            }
        }
        let measured = match calibrating {
            true if alone && !self.known => Measured::Nodes,
            true => Measured::Calibrating,
            false => Measured::Nothing,
        };
        self.step.measures |= measured == Measured::Nodes;
        Plan { alone, measured, ..plan }
    }

    /// Adds the time of an execution whose time was [asked for](Plan::is_calibrating), including the waking of
    /// other threads.
    pub(crate) fn add(&mut self, time: Duration) {
        self.step.time += time;
    }

    /// Marks the time of this step as not representative.
    pub(crate) fn disturb(&mut self) {
        self.step.disturbed = true;
    }

    /// Begins a refresh. `are_many` says whether several stages of the last refresh had much to do. Returns
    /// whether to enter the pool once for all stages, because they are likely to be shared. O(1).
    pub(crate) fn enters_once(&mut self, threads: &Threads, are_many: bool) -> bool {
        are_many && (threads.is_eager() || self.choose(self.refresh).mode == Mode::Shared)
    }

    /// Whether a refresh stage that handles `entities` entities is shared. Far more work than recent steps had
    /// is always shared. O(1).
    pub(crate) fn shares(&mut self, entities: usize) -> bool {
        let work = entities as u64 * ENTITY;
        let is_usual = work / 4 <= self.usual;
        self.step.disturbed |= !is_usual;
        self.choose(work).mode == Mode::Shared || !is_usual
    }

    /// Ends a refresh: its large stages handled `entities` entities and took `time`.
    pub(crate) fn end_refresh(&mut self, entities: usize, time: Duration) {
        self.refresh = entities as u64 * ENTITY;
        self.step.work = self.step.work.saturating_add(self.refresh);
        self.step.time += time;
    }

    /// Ends a step. O(1).
    #[inline]
    pub(crate) fn end(&mut self) {
        if self.step.work > 0 || self.step.decision.is_some() {
            self.end_anew();
        }
    }

    #[inline(never)]
    fn end_anew(&mut self) {
        if let Some((Choice { mode, calibrating }, size)) = self.step.decision.take()
            && self.step.work > 0
        {
            if !calibrating || self.step.disturbed {
                self.calibrations.pass(size);
            } else if self.step.measures {
                self.known = true;
            } else {
                self.known &= mode == Mode::Alone;
                self.calibrations.note(mode, size, self.step.work, self.step.time);
            }
        }
        self.usual = self.step.work.max(self.usual - self.usual / 64);
        self.step = Step::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHARED: Plan = Plan { alone: false, eager: false, measured: Measured::Nothing };

    /// An execution that takes `alone` microseconds on one thread and `shared` when shared. Returns whether it
    /// was shared.
    fn execute(adaptive: &mut AdaptiveParallelism, alone: u64, shared: u64) -> bool {
        let plan = adaptive.plan(SHARED, alone * 1_000);
        if plan.is_calibrating() {
            adaptive.add(Duration::from_micros(if plan.alone { alone } else { shared }));
        }
        !plan.alone
    }

    /// The same for a refresh.
    fn refresh(adaptive: &mut AdaptiveParallelism, alone: u64, shared: u64) -> bool {
        let entities = (alone * 1_000 / ENTITY) as usize;
        let is_shared = adaptive.shares(entities);
        adaptive
            .end_refresh(entities, Duration::from_micros(if is_shared { shared } else { alone }));
        is_shared
    }

    /// A step with this work.
    fn step_of<R>(
        adaptive: &mut AdaptiveParallelism,
        work: impl FnOnce(&mut AdaptiveParallelism) -> R,
    ) -> R {
        adaptive.begin();
        let result = work(adaptive);
        adaptive.end();
        result
    }

    /// A step with both.
    fn step(adaptive: &mut AdaptiveParallelism, alone: u64, shared: u64) -> [bool; 2] {
        step_of(adaptive, |this| [execute(this, alone, shared), refresh(this, alone, shared)])
    }

    #[test]
    fn all_of_a_step_is_shared_or_nothing() {
        for (alone, shared) in [(100, 60), (100, 140)] {
            let mut adaptive = AdaptiveParallelism::default();
            let steps: Vec<_> = (0..140).map(|_| step(&mut adaptive, alone, shared)).collect();
            assert!(steps.iter().all(|[one, other]| one == other));
            assert_eq!(steps[0], [true; 2], "nothing is known");
            assert!(steps.contains(&[false; 2]), "it was calibrating");
            assert_eq!(steps[139], [shared < alone; 2]);
        }
    }

    #[test]
    fn steps_that_take_turns_are_told_apart() {
        // Microseconds alone, and shared.
        for kinds in [[(10, 15), (100, 150)], [(100, 60), (10, 30)], [(15, 22), (10, 15)]] {
            let mut adaptive = AdaptiveParallelism::default();
            let mut late = [0; 2];
            for i in 0..2_000 {
                for ((alone, shared), late) in kinds.into_iter().zip(&mut late) {
                    let is_shared = step_of(&mut adaptive, |this| execute(this, alone, shared));
                    *late += u32::from(i >= 500 && is_shared == (shared < alone));
                }
            }
            assert!(late.iter().all(|&late| late > 1_350), "{kinds:?} {late:?}");
        }
    }

    #[test]
    fn steps_with_nothing_to_share_do_not_count() {
        let mut adaptive = AdaptiveParallelism::default();
        let mut step =
            |shared: bool| step_of(&mut adaptive, |this| shared && execute(this, 100, 300));
        let shared = (0..40_000).filter(|i| step(i % 10 == 0)).count();
        assert!(shared < 4_000 / 40, "{shared} of 4000 that had something to share");
    }

    #[test]
    fn nodes_are_measured_when_they_are_alone_for_the_first_time_in_each_trial() {
        let mut adaptive = AdaptiveParallelism::default();
        let mut measured = || {
            step_of(&mut adaptive, |this| {
                let plan = this.plan(SHARED, 100_000);
                if plan.is_calibrating() {
                    this.add(Duration::from_micros(if plan.alone { 100 } else { 101 }));
                }
                (plan.alone, plan.measured)
            })
        };
        let plans: Vec<_> = (0..200).map(|_| measured()).collect();
        let first = plans.iter().position(|&(alone, _)| alone).expect("it was calibrating");
        assert_eq!(
            plans[first..first + 2],
            [(true, Measured::Nodes), (true, Measured::Calibrating)]
        );
        let is_measured = |plan: &&(bool, Measured)| plan.1 == Measured::Nodes;
        assert_eq!(plans.iter().filter(is_measured).count(), 2, "there are two calibrations");
    }

    #[test]
    fn what_is_overdue_is_measured_the_way_it_is_done() {
        for (alone, shared) in [(100, 60), (100, 140)] {
            let mut adaptive = AdaptiveParallelism::default();
            for _ in 0..100 {
                step_of(&mut adaptive, |this| execute(this, alone, shared));
            }
            let plan = adaptive.plan(Plan { measured: Measured::Overdue, ..SHARED }, alone * 1_000);
            assert_eq!((plan.alone, plan.measured), (alone < shared, Measured::Nodes));
        }
    }

    #[test]
    fn what_is_disturbed_tells_nothing() {
        let mut adaptive = AdaptiveParallelism::default();
        for _ in 0..100 {
            step_of(&mut adaptive, |this| {
                assert!(execute(this, 100, 300));
                this.disturb();
            });
        }
    }

    #[test]
    fn what_is_suddenly_far_more_is_shared() {
        let mut adaptive = AdaptiveParallelism::default();
        for _ in 0..60 {
            step(&mut adaptive, 100, 200);
        }
        assert_eq!(step(&mut adaptive, 100, 200), [false; 2]);
        step_of(&mut adaptive, |this| {
            assert!(!execute(this, 100, 200));
            assert!(refresh(this, 1_000, 2_000));
        });
    }

    #[test]
    fn a_step_that_has_panicked_decides_nothing_for_the_next_one() {
        let mut adaptive = AdaptiveParallelism::default();
        adaptive.begin();
        adaptive.plan(SHARED, LEAST);
        adaptive.begin();
        assert!(adaptive.step.decision.is_none() && adaptive.step.work == 0);
    }

    #[test]
    fn refreshes_that_take_turns_with_larger_ones_are_tried() {
        let mut adaptive = AdaptiveParallelism::default();
        let mut late = 0;
        for i in 0..2_000 {
            for alone in [30, 640] {
                let is_shared = step_of(&mut adaptive, |this| refresh(this, alone, 3 * alone));
                late += u32::from(i >= 1_000 && is_shared);
            }
        }
        assert!(late < 100, "{late} of 2000");
    }

    #[test]
    fn a_refresh_that_was_large_once_decides_nothing_later() {
        let mut adaptive = AdaptiveParallelism::default();
        step_of(&mut adaptive, |this| refresh(this, 20_000, 60_000));
        let shared = (0..2_000).filter(|_| step(&mut adaptive, 100, 300)[0]).count();
        assert!(shared < 200, "{shared} of 2000");
    }
}
