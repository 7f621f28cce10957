//! Rounds of a cell, and which of them count: those in which other programs left the cores alone.
//!
//! On a machine that others share, a core is shared for some milliseconds, and free for some. A round then takes up to
//! twice as long. So short work of a known length, a *probe*, is timed before and after each round. It uses registers
//! only, and does not depend on what the cell does. A round counts if both probes took hardly longer than any of late.

use std::collections::VecDeque;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// A round counts if the probes took at most this many times as long as the least one.
const MARGIN: f64 = 1.08;

/// With this many rounds that count, a cell needs no more time than planned.
const ENOUGH: usize = 100;

/// Without enough, it takes up to this many times as long.
const PATIENCE: u32 = 4;
/// The same where not even the least number of rounds counts.
const MOST_PATIENCE: u32 = 8;

/// The number of late probes that the least one is sought among. A processor that warms up becomes slower for good.
const LATE: usize = 60;

/// The least probes of late, in nanoseconds, as all cells have seen them.
pub(crate) struct Probes(VecDeque<f64>);

impl Probes {
    /// Probes for half a second.
    pub(crate) fn new() -> Self {
        let start = Instant::now();
        let mut least = f64::INFINITY;
        while start.elapsed() < Duration::from_millis(500) {
            least = least.min(probe());
        }
        Self(VecDeque::from([least]))
    }

    pub(crate) fn add(&mut self, least: f64) {
        self.0.push_back(least);
        if self.0.len() > LATE {
            self.0.pop_front();
        }
    }

    pub(crate) fn least(&self) -> f64 {
        self.0.iter().copied().fold(f64::INFINITY, f64::min)
    }
}

/// What the rounds of a cell say.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rounds {
    /// The median of those that count. If they are too few, the least disturbed ones count.
    pub(crate) median: f64,
    /// The share of the rounds that took place on cores that others left alone.
    pub(crate) quiet: f64,
    /// The least probe, in nanoseconds.
    pub(crate) probe: f64,
}

/// Times rounds on as many threads until `time` is over and enough of them count, or until there is no hope.
pub(crate) fn rounds(
    threads: usize,
    (time, least_rounds): (Duration, usize),
    least_probe: f64,
    mut round: impl FnMut() -> f64,
) -> Rounds {
    let limit = least_probe * MARGIN;
    let mut rounds = Vec::new();
    let (mut quiet, mut least) = (0, f64::INFINITY);
    let start = Instant::now();
    let mut before = probe_all(threads);
    loop {
        let took = round();
        let after = probe_all(threads);
        least = least.min(after);
        quiet += usize::from(before.max(after) <= limit);
        rounds.push((before.max(after), took));
        before = after;
        let passed = start.elapsed();
        let is_enough = quiet >= ENOUGH
            || passed >= time * PATIENCE && quiet >= least_rounds
            || passed >= time * MOST_PATIENCE;
        if rounds.len() >= least_rounds && passed >= time && is_enough {
            break;
        }
    }
    let share = quiet as f64 / rounds.len() as f64;
    Rounds { median: median(rounds, quiet.max(least_rounds)), quiet: share, probe: least }
}

/// The median time of the `count` rounds with the least probes.
fn median(mut rounds: Vec<(f64, f64)>, count: usize) -> f64 {
    rounds.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    let mut times: Vec<f64> = rounds.into_iter().take(count).map(|(_, took)| took).collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// The longest of the probes of as many threads at once.
fn probe_all(threads: usize) -> f64 {
    if threads == 1 {
        return probe();
    }
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(probe)).collect();
        let this = probe();
        others.into_iter().map(|other| other.join().expect("it only computes")).fold(this, f64::max)
    })
}

/// The nanoseconds that a fixed work takes, which uses all of a core's units for integers, for some microseconds. It is
/// the least of three, as a thread may just have been started or interrupted.
fn probe() -> f64 {
    let once = || {
        let start = Instant::now();
        let mut numbers = [1_u64, 2, 3, 4, 5, 6, 7, 8];
        for _ in 0..1_500 {
            for number in &mut numbers {
                *number = (*number ^ *number << 13).rotate_left(7).wrapping_add(*number);
            }
            black_box(&mut numbers);
        }
        start.elapsed().as_secs_f64() * 1e9
    };
    once().min(once()).min(once())
}
