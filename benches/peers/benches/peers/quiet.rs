//! Rounds of a cell, and which of them count: those in which other programs left the cores alone.
//!
//! On a machine that others share, a core is shared for some milliseconds, and free for some. A round then takes up to
//! twice as long. So a fixed computation, a *probe*, is timed before and after each round. It uses 64 bytes of the stack, and
//! does not depend on what the cell does. A round counts if both probes took hardly longer than the least recent one.

use std::collections::VecDeque;
use std::hint::black_box;
use std::time::{Duration, Instant};

use crate::cell::Plan;

/// A round counts if the probes took at most this many times as long as the least recent one.
const TOLERANCE: f64 = 1.08;

/// With this many rounds that count, a cell needs no more time than planned.
const ENOUGH: usize = 100;

/// With fewer, it takes up to this many times as long.
const EXTENSION: u32 = 4;
/// The same where fewer rounds count than a cell needs at least.
const MAX_EXTENSION: u32 = 8;

/// The number of recent cells among whose probes the least one is sought. A processor that warms up may become slower for good.
const RECENT: usize = 60;

/// The least probes of recent cells, in nanoseconds.
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

    /// Adds the least probe of a cell.
    pub(crate) fn add(&mut self, least: f64) {
        self.0.push_back(least);
        if self.0.len() > RECENT {
            self.0.pop_front();
        }
    }

    /// The least of all, in nanoseconds.
    pub(crate) fn least(&self) -> f64 {
        self.0.iter().copied().fold(f64::INFINITY, f64::min)
    }
}

/// What the rounds of a cell say.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rounds {
    /// The median of those that count, in nanoseconds. If they are too few, those with the least probes count.
    pub(crate) median: f64,
    /// The share of the rounds that others left alone, from 0 to 1.
    pub(crate) share: f64,
    /// The least probe, in nanoseconds.
    pub(crate) probe: f64,
}

/// Times rounds for at least the time of the plan, until [`ENOUGH`] of them count, or fewer after an extension. Probes are on
/// as many threads. `least_probe` and what `round` returns are in nanoseconds.
pub(crate) fn rounds(
    threads: usize,
    plan: Plan,
    least_probe: f64,
    mut round: impl FnMut() -> f64,
) -> Rounds {
    let limit = least_probe * TOLERANCE;
    let mut rounds = Vec::new();
    let (mut counted, mut least) = (0, f64::INFINITY);
    let start = Instant::now();
    let mut before = probe_all(threads);
    loop {
        let took = round();
        let after = probe_all(threads);
        least = least.min(after);
        counted += usize::from(before.max(after) <= limit);
        rounds.push((before.max(after), took));
        before = after;
        let passed = start.elapsed();
        let is_enough = counted >= ENOUGH
            || passed >= plan.time * EXTENSION && counted >= plan.least_rounds
            || passed >= plan.time * MAX_EXTENSION;
        if rounds.len() >= plan.least_rounds && passed >= plan.time && is_enough {
            break;
        }
    }
    let share = counted as f64 / rounds.len() as f64;
    Rounds { median: median(rounds, counted.max(plan.least_rounds)), share, probe: least }
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

/// The nanoseconds that a fixed computation takes, of some microseconds: independent steps on integers, which a shared core has
/// fewer units for. It is the least of three, as a thread may just have been started or interrupted.
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
