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
const TRIES: usize = 5;

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

/// Sharing has to be that much faster, as it takes cores from others.
const BETTER: f32 = 0.95;

/// What would take more nanoseconds alone is not tried alone if sharing it takes a third of that: it would be felt.
const LONG: f32 = 2e6;

/// A way of doing a piece of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// By the calling thread alone.
    Alone,
    /// By all threads.
    Shared,
}

/// How the next piece of work is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Turn {
    pub(crate) way: Way,
    /// Whether to [note](Trials::note) how long it took.
    pub(crate) tried: bool,
}

/// Which way is faster for pieces of work of about one size.
#[derive(Clone, Copy, Debug)]
struct Trial {
    shared: Tries<AWAKENING>,
    alone: Tries<RETURN>,
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
struct Tries<const UNCOUNTED: usize> {
    /// The last of them.
    times: [f32; TRIES],
    count: usize,
}

impl<const UNCOUNTED: usize> Tries<UNCOUNTED> {
    const NONE: Self = Self { times: [0.0; TRIES], count: 0 };

    fn push(&mut self, time: f32) {
        self.times[self.count % TRIES] = time;
        self.count += 1;
    }

    fn are_enough(&self) -> bool {
        self.count == UNCOUNTED + TRIES
    }

    /// The time in the middle.
    fn median(&self) -> f32 {
        let mut times = self.times;
        let times = &mut times[..self.count.min(TRIES)];
        times.sort_unstable_by(f32::total_cmp);
        times.get(times.len() / 2).copied().unwrap_or_default()
    }

    /// Whether each of at least two took longer than `time`.
    fn all_exceed(&self, time: f32) -> bool {
        self.count >= 2 && self.times.iter().take(self.count).all(|&tried| tried > time)
    }

    /// About how much time is lost by them if each could have taken `time`.
    fn lost(&self, time: f32) -> f32 {
        (self.median() - time) * self.count as f32
    }
}

impl Trial {
    const NEW: Self = Self {
        shared: Tries::NONE,
        alone: Tries::NONE,
        pays: false,
        is_doubted: false,
        time: 0.0,
        off: 0,
        enough: 2,
        until: 0,
    };

    fn turn(&self) -> Turn {
        if self.until > 0 {
            let way = if self.pays { Way::Shared } else { Way::Alone };
            return Turn { way, tried: self.until % PERIOD == 1 };
        }
        Turn { way: if self.shared.are_enough() { Way::Alone } else { Way::Shared }, tried: true }
    }

    /// A piece of work was done.
    fn pass(&mut self) {
        self.until = self.until.saturating_sub(1);
    }

    /// So much work took that long, where it was [tried](Turn::tried).
    fn note(&mut self, way: Way, work: f32, time: Duration) {
        let time = time.as_nanos() as f32 / work;
        if self.until > 0 {
            self.pass();
            return self.check(time);
        }
        match way {
            Way::Shared if !self.shared.are_enough() => {
                self.shared.push(time);
                let shared = self.shared.median();
                if self.shared.are_enough() && work > LONG && shared < 1.0 / 3.0 {
                    self.decide(true, shared);
                }
            }
            Way::Alone if self.shared.are_enough() => {
                self.alone.push(time);
                let shared = self.shared.median();
                if self.alone.are_enough() || self.alone.all_exceed(2.0 * shared) {
                    let alone = self.alone.median();
                    self.decide(shared < BETTER * alone, shared.min(alone));
                }
            }
            // It was to be tried the other way.
            Way::Shared | Way::Alone => {}
        }
    }

    /// Whether it pays, and how long it takes then. What was found before has to be refuted twice, as a trial may be disturbed.
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

/// A [trial](Trial) for each size of a kind of work. Sizes are numbers that grow with the time that it takes alone.
#[derive(Debug)]
pub(crate) struct Trials {
    /// Of twice as much work each as the one before.
    sizes: [Trial; Self::SIZES],
    least: u64,
}

impl Trials {
    const SIZES: usize = 12;

    /// Less work than `least` is never shared; from 4 096 times as much on, it always is.
    pub(crate) const fn new(least: u64) -> Self {
        Self { sizes: [Trial::NEW; Self::SIZES], least }
    }

    fn of(&mut self, size: u64) -> Result<&mut Trial, Way> {
        let size = (size / self.least).checked_ilog2().ok_or(Way::Alone)?;
        self.sizes.get_mut(size as usize).ok_or(Way::Shared)
    }

    /// How to do work of this size. O(1).
    pub(crate) fn turn(&mut self, size: u64) -> Turn {
        match self.of(size) {
            Ok(trial) => trial.turn(),
            Err(way) => Turn { way, tried: false },
        }
    }

    /// Work of this size was done, of which nothing is known. O(1).
    pub(crate) fn pass(&mut self, size: u64) {
        if let Ok(trial) = self.of(size) {
            trial.pass();
        }
    }

    /// So much work took that long; it is of this size, by which its [turn](Self::turn) was found. O(1).
    pub(crate) fn note(&mut self, way: Way, size: u64, work: u64, time: Duration) {
        if let Ok(trial) = self.of(size) {
            trial.note(way, work as f32, time);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ways of so many pieces of work, where one alone takes `alone` nanoseconds, and a shared one `shared`.
    fn ways(trials: &mut Trials, count: usize, alone: u64, shared: u64) -> Vec<Way> {
        let mut way = || {
            let Turn { way, tried } = trials.turn(20);
            if tried {
                let nanos = if way == Way::Alone { alone } else { shared };
                trials.note(way, 20, 20, Duration::from_nanos(nanos));
            } else {
                trials.pass(20);
            }
            way
        };
        (0..count).map(|_| way()).collect()
    }

    fn shared(ways: &[Way]) -> usize {
        ways.iter().filter(|&&way| way == Way::Shared).count()
    }

    /// How often both are tried.
    const ALL_SHARED: usize = AWAKENING + TRIES;
    const ALL_ALONE: usize = RETURN + TRIES;

    #[test]
    fn both_ways_are_tried_and_the_faster_one_goes_on() {
        for (alone, other, pays) in [(1_000, 800, true), (1_000, 1_500, false), (1_000, 990, false)]
        {
            let mut trials = Trials::new(10);
            // At first it is taken that it does not pay, so that this has to be refuted twice.
            for _ in 0..=usize::from(pays) {
                assert_eq!(shared(&ways(&mut trials, ALL_SHARED, alone, other)), ALL_SHARED);
                assert_eq!(shared(&ways(&mut trials, ALL_ALONE, alone, other)), 0);
            }
            let after = ways(&mut trials, PERIOD as usize, alone, other);
            assert_eq!(shared(&after), if pays { after.len() } else { 0 });
        }
    }

    #[test]
    fn one_trial_that_is_disturbed_changes_nothing() {
        let mut trials = Trials::new(10);
        let settled = ways(&mut trials, 500, 1_000, 500);
        assert_eq!(settled.last(), Some(&Way::Shared));
        while trials.sizes[1].until > 0 {
            trials.pass(20);
        }
        ways(&mut trials, ALL_SHARED + ALL_ALONE, 1_000, 9_000);
        let after = ways(&mut trials, 500, 1_000, 500);
        assert!(shared(&after) >= 500 - 2 * ALL_ALONE, "but for trials");
    }

    #[test]
    fn to_try_takes_a_fiftieth_of_the_time() {
        for (alone, other) in [(1_000, 3_000), (9_000, 3_000), (1_000, 80_000), (5_000, 100)] {
            let mut trials = Trials::new(10);
            let ways = ways(&mut trials, 1_000_000, alone, other);
            let shared = shared(&ways) as u64;
            let time = shared * other + (ways.len() as u64 - shared) * alone;
            let best = ways.len() as u64 * alone.min(other);
            assert!(time > best && time < best + best / 40, "{alone} {other} {time} {best}");
        }
    }

    #[test]
    fn what_takes_far_longer_alone_is_tried_twice() {
        let mut trials = Trials::new(10);
        let ways = ways(&mut trials, 2 * (ALL_SHARED + 2) + PERIOD as usize, 10_000, 1_000);
        assert_eq!(shared(&ways), ways.len() - 4, "in each of two trials");
    }

    #[test]
    fn two_disturbed_tries_decide_nothing() {
        let mut trials = Trials::new(10);
        let shared = [90_000; AWAKENING].into_iter().chain([900, 900, 70_000, 60_000, 900]);
        for nanos in shared.chain([1; RETURN]).chain([800, 9_000, 9_000, 800, 800]) {
            let Turn { way, tried } = trials.turn(20);
            assert!(tried);
            trials.note(way, 20, 20, Duration::from_nanos(nanos));
        }
        assert_eq!(trials.turn(20).way, Way::Alone);
        trials.pass(20);
        assert_eq!(trials.turn(20), Turn { way: Way::Alone, tried: false });
    }

    #[test]
    fn little_is_never_shared_and_much_always() {
        let mut trials = Trials::new(10);
        assert_eq!(trials.turn(9), Turn { way: Way::Alone, tried: false });
        assert_eq!(trials.turn(10 << Trials::SIZES), Turn { way: Way::Shared, tried: false });
        assert!(trials.turn((10 << Trials::SIZES) - 1).tried);
    }

    #[test]
    fn what_takes_long_alone_is_not_tried_alone_if_sharing_helps_much() {
        const MS: u64 = 1_000_000;
        let is_tried = |alone: u64, shared: u64| {
            let mut trials = Trials::new(alone);
            (0..300).any(|_| {
                let way = trials.turn(alone).way;
                let time = if way == Way::Alone { alone } else { shared };
                trials.note(way, alone, alone, Duration::from_nanos(time));
                way == Way::Alone
            })
        };
        assert!(!is_tried(6 * MS, MS));
        assert!(is_tried(6 * MS, 3 * MS), "two threads");
        assert!(is_tried(MS / 10, MS / 100), "it would not be felt");
    }

    #[test]
    fn sizes_are_tried_each_by_itself() {
        let mut trials = Trials::new(10);
        ways(&mut trials, ALL_SHARED + ALL_ALONE, 1_000, 2_000);
        let is_settled = |trials: &mut Trials, size| trials.turn(size).way == Way::Alone;
        assert!(is_settled(&mut trials, 20) && is_settled(&mut trials, 39));
        assert!(!is_settled(&mut trials, 40) && !is_settled(&mut trials, 19));
    }

    #[test]
    fn when_times_change_so_does_the_way() {
        let mut trials = Trials::new(10);
        assert_eq!(ways(&mut trials, 100, 1_000, 2_000)[90], Way::Alone);
        let later = ways(&mut trials, 1_000, 4_000, 2_000);
        assert_eq!(later.last(), Some(&Way::Shared));
    }

    #[test]
    fn pieces_that_take_another_time_have_it_tried_anew_if_they_are_enough() {
        for (times, is_anew) in [
            (&[9_000, 1_000, 9_000, 9_000, 9_000][..], false),
            (&[9_000; 4], true),
            (&[100; 4], true),
        ] {
            let mut trials = Trials::new(10);
            ways(&mut trials, ALL_SHARED + ALL_ALONE, 1_000, 2_000);
            trials.sizes[1].until = 1_000;
            assert_eq!(trials.sizes[1].enough, 4, "it has changed nothing once");
            for &time in times {
                while !trials.turn(20).tried {
                    trials.pass(20);
                }
                assert_eq!(trials.turn(20).way, Way::Alone);
                trials.note(Way::Alone, 20, 20, Duration::from_nanos(time));
            }
            assert_eq!(trials.sizes[1].until == 0, is_anew);
        }
    }
}
