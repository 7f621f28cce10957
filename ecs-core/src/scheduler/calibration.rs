//! Whether it pays to share work among threads: found out by doing it both ways.
//!
//! What other threads save can be predicted from what the work takes; what it takes to wake them cannot. It is a
//! microsecond where they are awake, a hundred where they sleep, as they do in a game that waits for the next
//! frame, and they may find the caches of another core. So the same work is shared a few times, then done alone a few
//! times, and whichever took less time is how it goes on. To try costs time, too, where one way is slower:
//! about a fiftieth of all, since the more was lost, the later both are tried again. It is more where times vary so much
//! that what was found out is doubted over and over.

use std::time::Duration;

/// So many tries of each way count, and of these the one in the middle, as any may be disturbed.
const SAMPLES: usize = 5;

/// Before them work is shared so many times, until threads have woken up, are on cores of their own, and have filled
/// their caches.
const AWAKENING: usize = 20;

/// And so many times it is done alone, as what it needs may be in the caches of others.
const RETURN: usize = 3;

/// After a decision at least so many pieces of work go by, and of so many one is looked at; a prime number, so that where
/// several kinds of work take turns, each has its own.
const PERIOD: u32 = 61;

/// At most so many.
const LONGEST: f32 = 1e6;

/// Trying takes one part in so many of the time.
const BUDGET: f32 = 50.0;

/// AdaptiveParallelism has to be that much faster, as it takes cores from others.
const BETTER: f32 = 0.95;

/// What would take more nanoseconds alone is not tried alone if sharing it takes a third of that: it would be felt.
const LONG: f32 = 2e6;

/// A way of doing a piece of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// By the calling thread alone.
    Alone,
    /// By all threads.
    Shared,
}

/// How the next piece of work is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    pub(crate) mode: Mode,
    /// Whether to [note](Calibrations::note) how long it took.
    pub(crate) calibrating: bool,
}

/// Which way is faster for pieces of work of about one size.
#[derive(Clone, Copy, Debug)]
struct Calibration {
    shared: Samples<AWAKENING>,
    alone: Samples<RETURN>,
    /// What was found out the last time.
    pays: bool,
    /// Whether something else has been found out since, once.
    is_doubted: bool,
    /// How long it takes then, for a unit of work.
    time: f32,
    /// How many of the last pieces that were looked at, one after the other, took another time.
    off: u8,
    /// So many have to, until it is tried anew: the more, the oftener that has changed nothing.
    enough: u8,
    /// How many pieces go by until both are tried again.
    until: u32,
}

/// How long a few pieces took, for a unit of work, the first `UNCOUNTED` of which do not count.
#[derive(Clone, Copy, Debug)]
struct Samples<const UNCOUNTED: usize> {
    /// The last of them.
    times: [f32; SAMPLES],
    count: usize,
}

impl<const UNCOUNTED: usize> Samples<UNCOUNTED> {
    const NONE: Self = Self { times: [0.0; SAMPLES], count: 0 };

    fn push(&mut self, time: f32) {
        self.times[self.count % SAMPLES] = time;
        self.count += 1;
    }

    fn are_enough(&self) -> bool {
        self.count == UNCOUNTED + SAMPLES
    }

    /// The time in the middle.
    fn median(&self) -> f32 {
        let mut times = self.times;
        let times = &mut times[..self.count.min(SAMPLES)];
        times.sort_unstable_by(f32::total_cmp);
        times.get(times.len() / 2).copied().unwrap_or_default()
    }

    /// Whether each of at least two took longer than `time`.
    fn all_exceed(&self, time: f32) -> bool {
        self.count >= 2 && self.times.iter().take(self.count).all(|&calibrating| calibrating > time)
    }

    /// About how much time is lost by them if each could have taken `time`.
    fn lost(&self, time: f32) -> f32 {
        (self.median() - time) * self.count as f32
    }
}

impl Calibration {
    const NEW: Self = Self {
        shared: Samples::NONE,
        alone: Samples::NONE,
        pays: false,
        is_doubted: false,
        time: 0.0,
        off: 0,
        enough: 2,
        until: 0,
    };

    fn choose(&self) -> Choice {
        if self.until > 0 {
            let mode = if self.pays { Mode::Shared } else { Mode::Alone };
            return Choice { mode, calibrating: self.until % PERIOD == 1 };
        }
        Choice {
            mode: if self.shared.are_enough() { Mode::Alone } else { Mode::Shared },
            calibrating: true,
        }
    }

    /// A piece of work was done.
    fn pass(&mut self) {
        self.until = self.until.saturating_sub(1);
    }

    /// So much work took that long, where it was [tried](Choice::calibrating).
    fn note(&mut self, mode: Mode, work: f32, time: Duration) {
        let time = time.as_nanos() as f32 / work;
        if self.until > 0 {
            self.pass();
            return self.check(time);
        }
        match mode {
            Mode::Shared if !self.shared.are_enough() => {
                self.shared.push(time);
                let shared = self.shared.median();
                if self.shared.are_enough() && work > LONG && shared < 1.0 / 3.0 {
                    self.decide(true, shared);
                }
            }
            Mode::Alone if self.shared.are_enough() => {
                self.alone.push(time);
                let shared = self.shared.median();
                if self.alone.are_enough() || self.alone.all_exceed(2.0 * shared) {
                    let alone = self.alone.median();
                    self.decide(shared < BETTER * alone, shared.min(alone));
                }
            }
            // It was to be tried the other way.
            Mode::Shared | Mode::Alone => {}
        }
    }

    /// Whether it pays, and how long it takes then. What was found before has to be refuted twice, as a calibration may be disturbed.
    fn decide(&mut self, pays: bool, best: f32) {
        let is_new = pays != self.pays;
        if is_new && !self.is_doubted {
            *self = Self { pays: self.pays, is_doubted: true, ..Self::NEW };
            return;
        }
        let enough = if is_new { 2 } else { self.enough.saturating_mul(2).min(64) };
        let lost = self.shared.lost(best) + self.alone.lost(best);
        let until = (BUDGET * lost / best).min(LONGEST) as u32;
        *self = Self { pays, time: best, enough, until: until.max(PERIOD), ..Self::NEW };
    }

    /// After a decision: if several pieces, one after the other, take quite another time than before, it is tried anew.
    fn check(&mut self, time: f32) {
        let is_off = time < self.time / 1.5 || time > self.time * 1.5;
        self.off = if is_off { self.off + 1 } else { 0 };
        if self.off >= self.enough {
            *self = Self { pays: self.pays, enough: self.enough, ..Self::NEW };
        }
    }
}

/// A [calibration](Calibration) for each size of a kind of work. Sizes are numbers that grow with the time that it takes alone.
#[derive(Debug)]
pub(crate) struct Calibrations {
    /// Of twice as much work each as the one before.
    sizes: [Calibration; Self::SIZES],
    least: u64,
}

impl Calibrations {
    const SIZES: usize = 12;

    /// Less work than `least` is never shared; from 4 096 times as much on, it always is.
    pub(crate) const fn new(least: u64) -> Self {
        Self { sizes: [Calibration::NEW; Self::SIZES], least }
    }

    fn of(&mut self, size: u64) -> Result<&mut Calibration, Mode> {
        let size = (size / self.least).checked_ilog2().ok_or(Mode::Alone)?;
        self.sizes.get_mut(size as usize).ok_or(Mode::Shared)
    }

    /// How to do work of this size. O(1).
    pub(crate) fn choose(&mut self, size: u64) -> Choice {
        match self.of(size) {
            Ok(calibration) => calibration.choose(),
            Err(mode) => Choice { mode, calibrating: false },
        }
    }

    /// Work of this size was done, of which nothing is known. O(1).
    pub(crate) fn pass(&mut self, size: u64) {
        if let Ok(calibration) = self.of(size) {
            calibration.pass();
        }
    }

    /// So much work took that long; it is of this size, by which its [turn](Self::turn) was found. O(1).
    pub(crate) fn note(&mut self, mode: Mode, size: u64, work: u64, time: Duration) {
        if let Ok(calibration) = self.of(size) {
            calibration.note(mode, work as f32, time);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ways of so many pieces of work, where one alone takes `alone` nanoseconds, and a shared one `shared`.
    fn modes(calibrations: &mut Calibrations, count: usize, alone: u64, shared: u64) -> Vec<Mode> {
        let mut mode = || {
            let Choice { mode, calibrating } = calibrations.choose(20);
            if calibrating {
                let nanos = if mode == Mode::Alone { alone } else { shared };
                calibrations.note(mode, 20, 20, Duration::from_nanos(nanos));
            } else {
                calibrations.pass(20);
            }
            mode
        };
        (0..count).map(|_| mode()).collect()
    }

    fn shared(modes: &[Mode]) -> usize {
        modes.iter().filter(|&&mode| mode == Mode::Shared).count()
    }

    /// How often both are tried.
    const ALL_SHARED: usize = AWAKENING + SAMPLES;
    const ALL_ALONE: usize = RETURN + SAMPLES;

    #[test]
    fn both_ways_are_tried_and_the_faster_one_goes_on() {
        for (alone, other, pays) in [(1_000, 800, true), (1_000, 1_500, false), (1_000, 990, false)]
        {
            let mut calibrations = Calibrations::new(10);
            // At first it is taken that it does not pay, so that this has to be refuted twice.
            for _ in 0..=usize::from(pays) {
                assert_eq!(shared(&modes(&mut calibrations, ALL_SHARED, alone, other)), ALL_SHARED);
                assert_eq!(shared(&modes(&mut calibrations, ALL_ALONE, alone, other)), 0);
            }
            let after = modes(&mut calibrations, PERIOD as usize, alone, other);
            assert_eq!(shared(&after), if pays { after.len() } else { 0 });
        }
    }

    #[test]
    fn one_trial_that_is_disturbed_changes_nothing() {
        let mut calibrations = Calibrations::new(10);
        let decided = modes(&mut calibrations, 500, 1_000, 500);
        assert_eq!(decided.last(), Some(&Mode::Shared));
        while calibrations.sizes[1].until > 0 {
            calibrations.pass(20);
        }
        modes(&mut calibrations, ALL_SHARED + ALL_ALONE, 1_000, 9_000);
        let after = modes(&mut calibrations, 500, 1_000, 500);
        assert!(shared(&after) >= 500 - 2 * ALL_ALONE, "but for calibrations");
    }

    #[test]
    fn to_try_takes_a_fiftieth_of_the_time() {
        for (alone, other) in [(1_000, 3_000), (9_000, 3_000), (1_000, 80_000), (5_000, 100)] {
            let mut calibrations = Calibrations::new(10);
            let modes = modes(&mut calibrations, 1_000_000, alone, other);
            let shared = shared(&modes) as u64;
            let time = shared * other + (modes.len() as u64 - shared) * alone;
            let best = modes.len() as u64 * alone.min(other);
            assert!(time > best && time < best + best / 40, "{alone} {other} {time} {best}");
        }
    }

    #[test]
    fn what_takes_far_longer_alone_is_tried_twice() {
        let mut calibrations = Calibrations::new(10);
        let modes = modes(&mut calibrations, 2 * (ALL_SHARED + 2) + PERIOD as usize, 10_000, 1_000);
        assert_eq!(shared(&modes), modes.len() - 4, "in each of two calibrations");
    }

    #[test]
    fn two_disturbed_tries_decide_nothing() {
        let mut calibrations = Calibrations::new(10);
        let shared = [90_000; AWAKENING].into_iter().chain([900, 900, 70_000, 60_000, 900]);
        for nanos in shared.chain([1; RETURN]).chain([800, 9_000, 9_000, 800, 800]) {
            let Choice { mode, calibrating } = calibrations.choose(20);
            assert!(calibrating);
            calibrations.note(mode, 20, 20, Duration::from_nanos(nanos));
        }
        assert_eq!(calibrations.choose(20).mode, Mode::Alone);
        calibrations.pass(20);
        assert_eq!(calibrations.choose(20), Choice { mode: Mode::Alone, calibrating: false });
    }

    #[test]
    fn little_is_never_shared_and_much_always() {
        let mut calibrations = Calibrations::new(10);
        assert_eq!(calibrations.choose(9), Choice { mode: Mode::Alone, calibrating: false });
        assert_eq!(
            calibrations.choose(10 << Calibrations::SIZES),
            Choice { mode: Mode::Shared, calibrating: false }
        );
        assert!(calibrations.choose((10 << Calibrations::SIZES) - 1).calibrating);
    }

    #[test]
    fn what_takes_long_alone_is_not_tried_alone_if_sharing_helps_much() {
        const MS: u64 = 1_000_000;
        let is_calibrating = |alone: u64, shared: u64| {
            let mut calibrations = Calibrations::new(alone);
            (0..300).any(|_| {
                let mode = calibrations.choose(alone).mode;
                let time = if mode == Mode::Alone { alone } else { shared };
                calibrations.note(mode, alone, alone, Duration::from_nanos(time));
                mode == Mode::Alone
            })
        };
        assert!(!is_calibrating(6 * MS, MS));
        assert!(is_calibrating(6 * MS, 3 * MS), "two threads");
        assert!(is_calibrating(MS / 10, MS / 100), "it would not be felt");
    }

    #[test]
    fn sizes_are_tried_each_by_itself() {
        let mut calibrations = Calibrations::new(10);
        modes(&mut calibrations, ALL_SHARED + ALL_ALONE, 1_000, 2_000);
        let is_decided =
            |calibrations: &mut Calibrations, size| calibrations.choose(size).mode == Mode::Alone;
        assert!(is_decided(&mut calibrations, 20) && is_decided(&mut calibrations, 39));
        assert!(!is_decided(&mut calibrations, 40) && !is_decided(&mut calibrations, 19));
    }

    #[test]
    fn when_times_change_so_does_the_way() {
        let mut calibrations = Calibrations::new(10);
        assert_eq!(modes(&mut calibrations, 100, 1_000, 2_000)[90], Mode::Alone);
        let later = modes(&mut calibrations, 1_000, 4_000, 2_000);
        assert_eq!(later.last(), Some(&Mode::Shared));
    }

    #[test]
    fn pieces_that_take_another_time_have_it_tried_anew_if_they_are_enough() {
        for (times, is_anew) in [
            (&[9_000, 1_000, 9_000, 9_000, 9_000][..], false),
            (&[9_000; 4], true),
            (&[100; 4], true),
        ] {
            let mut calibrations = Calibrations::new(10);
            modes(&mut calibrations, ALL_SHARED + ALL_ALONE, 1_000, 2_000);
            calibrations.sizes[1].until = 1_000;
            assert_eq!(calibrations.sizes[1].enough, 4, "it has changed nothing once");
            for &time in times {
                while !calibrations.choose(20).calibrating {
                    calibrations.pass(20);
                }
                assert_eq!(calibrations.choose(20).mode, Mode::Alone);
                calibrations.note(Mode::Alone, 20, 20, Duration::from_nanos(time));
            }
            assert_eq!(calibrations.sizes[1].until == 0, is_anew);
        }
    }
}
