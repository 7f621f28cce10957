//! Calibration: measures whether it pays to share work among threads.
//!
//! What other threads save can be predicted from the time of the work. The cost of waking them cannot. It is
//! about 1 µs if they are awake and about 100 µs if they sleep, as in a game that waits for the next frame.
//! They may also find the caches of another core. So the same work is shared a few times, then done alone a few
//! times, and the faster mode is kept.
//!
//! Calibration itself takes time where one mode is slower: about a fiftieth of the total, because the next
//! calibration comes later the more time the last one lost. It is more where times vary so much that a decision
//! is doubted repeatedly.

use std::time::Duration;

/// The number of samples per mode. The median counts, because any sample may be disturbed.
const SAMPLES: usize = 5;

/// The number of uncounted shared runs before the samples: threads wake up, spread over the cores and fill
/// their caches.
const AWAKENING: usize = 20;

/// The number of uncounted runs alone before the samples: the data may be in the caches of other cores.
const RETURN: usize = 3;

/// The least number of pieces of work after a decision before the next calibration. One piece in this many is
/// checked. It is prime, so that several sequences of work that alternate are each checked.
const PERIOD: u32 = 61;

/// The largest number of pieces of work before the next calibration.
const LONGEST: f32 = 1e6;

/// Calibration takes at most one part in this many of the time.
const BUDGET: f32 = 50.0;

/// Shared work must take at most this fraction of the time alone, because it takes cores from other programs.
const BETTER: f32 = 0.95;

/// Work that takes more nanoseconds alone is not calibrated alone if sharing takes less than a third of that:
/// the delay would be noticeable.
const LONG: f32 = 2e6;

/// How a piece of work is done.
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

/// Which mode is faster for pieces of work of about one size.
#[derive(Clone, Copy, Debug)]
struct Calibration {
    shared: Samples<AWAKENING>,
    alone: Samples<RETURN>,
    /// The last decision: whether sharing pays.
    pays: bool,
    /// Whether one calibration since then has contradicted it.
    is_doubted: bool,
    /// The time per unit of work in the chosen mode.
    time: f32,
    /// The number of checked pieces in a row whose time was different.
    off: u8,
    /// The value of `off` that starts a new calibration. It doubles each time a calibration confirms the
    /// decision.
    enough: u8,
    /// The number of pieces before the next calibration.
    until: u32,
}

/// Times of a few pieces per unit of work. The first `UNCOUNTED` of them do not count.
#[derive(Clone, Copy, Debug)]
struct Samples<const UNCOUNTED: usize> {
    /// The last times, as a ring.
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

    /// The median of the times.
    fn median(&self) -> f32 {
        let mut times = self.times;
        let times = &mut times[..self.count.min(SAMPLES)];
        times.sort_unstable_by(f32::total_cmp);
        times.get(times.len() / 2).copied().unwrap_or_default()
    }

    /// Whether there are at least two times, each above `time`.
    fn all_exceed(&self, time: f32) -> bool {
        self.count >= 2 && self.times.iter().take(self.count).all(|&calibrating| calibrating > time)
    }

    /// About how much time these pieces lost if each could have taken `time`.
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

    /// Counts a piece of work that was done.
    fn pass(&mut self) {
        self.until = self.until.saturating_sub(1);
    }

    /// Records the time of a piece of work that was [to be measured](Choice::calibrating).
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
            // The calibration expects the other mode.
            Mode::Shared | Mode::Alone => {}
        }
    }

    /// Decides whether sharing pays, and the time per unit of work then. A new answer must come twice in a row,
    /// because a calibration may be disturbed.
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

    /// Checks a time after a decision. Several different times in a row start a new calibration.
    fn check(&mut self, time: f32) {
        let is_off = time < self.time / 1.5 || time > self.time * 1.5;
        self.off = if is_off { self.off + 1 } else { 0 };
        if self.off >= self.enough {
            *self = Self { pays: self.pays, enough: self.enough, ..Self::NEW };
        }
    }
}

/// A [calibration](Calibration) per size of work. A size is a number that grows with the time alone.
#[derive(Debug)]
pub(crate) struct Calibrations {
    /// Each entry is for twice the work of the one before.
    sizes: [Calibration; Self::SIZES],
    least: u64,
}

impl Calibrations {
    const SIZES: usize = 12;

    /// Work of a size below `least` is never shared. From 4,096 times `least` on, it always is.
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

    /// Counts work of this size whose time is unknown. O(1).
    pub(crate) fn pass(&mut self, size: u64) {
        if let Ok(calibration) = self.of(size) {
            calibration.pass();
        }
    }

    /// Records that `work` took `time`. `size` is the size that was given to [`choose`](Self::choose). O(1).
    pub(crate) fn note(&mut self, mode: Mode, size: u64, work: u64, time: Duration) {
        if let Ok(calibration) = self.of(size) {
            calibration.note(mode, work as f32, time);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The modes of `count` pieces of work that take `alone` nanoseconds alone and `shared` nanoseconds shared.
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

    /// The number of runs of each mode in a calibration.
    const ALL_SHARED: usize = AWAKENING + SAMPLES;
    const ALL_ALONE: usize = RETURN + SAMPLES;

    #[test]
    fn both_ways_are_tried_and_the_faster_one_goes_on() {
        for (alone, other, pays) in [(1_000, 800, true), (1_000, 1_500, false), (1_000, 990, false)]
        {
            let mut calibrations = Calibrations::new(10);
            // The initial decision is that sharing does not pay. It takes two calibrations to change it.
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
        let much = 10 << Calibrations::SIZES;
        assert_eq!(calibrations.choose(much), Choice { mode: Mode::Shared, calibrating: false });
        assert!(calibrations.choose(much - 1).calibrating);
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
        let mut is_decided = |size| calibrations.choose(size).mode == Mode::Alone;
        assert!(is_decided(20) && is_decided(39));
        assert!(!is_decided(40) && !is_decided(19));
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
