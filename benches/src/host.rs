//! What the host gives at the moment. On a machine that others share, memory and second cores are slower at times, and a
//! table of times says little without that: benches print it before and after.

use std::fmt;
use std::hint::black_box;
use std::time::Instant;

/// The numbers of a block of memory that no cache holds: 64 MiB.
const NUMBERS: usize = 8 << 20;

/// The numbers of a line of the cache.
const LINE: usize = 8;

/// The samples of each figure, of which the median counts.
const SAMPLES: usize = 5;

/// What one thread and two threads of this machine do.
#[derive(Clone, Copy, Debug)]
pub struct Host {
    /// Gigabytes a second that one thread reads, in order.
    pub read: f64,
    /// The nanoseconds after which a number at a random place is there.
    pub wait: f64,
    /// How many times as much two threads compute as one does in the same time.
    pub computing: f64,
    /// How many times as much two threads read.
    pub reading: f64,
}

impl Host {
    /// Measures for a second or two.
    pub fn now() -> Self {
        let memory = circle(NUMBERS / LINE);
        let bytes = size_of_val(memory.as_slice()) as f64;
        let [reads, reads_of_two] = [1, 2].map(|threads| time(threads, || sum(&memory)));
        let [computes, computes_of_two] = [1, 2].map(|threads| time(threads, compute));
        let lines = memory.len() / LINE;
        Self {
            read: bytes / reads,
            wait: time(1, || walk(&memory, lines)) / lines as f64,
            computing: 2.0 * computes / computes_of_two,
            reading: 2.0 * reads / reads_of_two,
        }
    }
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { read, wait, computing, reading } = self;
        write!(
            f,
            "one thread reads {read:.1} GB/s and waits {wait:.0} ns for a number at a random place; two compute \
             {computing:.2} and read {reading:.2} times as much"
        )
    }
}

/// Calls `f`, and prints what the host gives before and after.
pub fn beside<R>(f: impl FnOnce() -> R) -> R {
    println!("The host before: {}.", Host::now());
    let result = f();
    println!("The host after: {}.", Host::now());
    result
}

/// The median of the nanoseconds in which as many threads, which run at once, each do the work.
fn time(threads: usize, work: impl Fn() -> u64 + Sync) -> f64 {
    let mut samples: Vec<_> = (0..SAMPLES)
        .map(|_| {
            let start = Instant::now();
            std::thread::scope(|scope| {
                (1..threads).for_each(|_| drop(scope.spawn(|| black_box(work()))));
                black_box(work());
            });
            start.elapsed()
        })
        .collect();
    samples.sort_unstable();
    samples[SAMPLES / 2].as_nanos() as f64
}

/// Numbers of which the first one of each line is the place of another line: a walk from place to place goes through
/// all lines, in random order.
fn circle(lines: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..lines).collect();
    let mut random = 1_u64;
    // Sattolo's algorithm: a permutation that is one circle.
    for last in (1..lines).rev() {
        random = step(random);
        order.swap(last, (random >> 16) as usize % last);
    }
    let mut memory = vec![0; lines * LINE];
    for (line, next) in order.into_iter().enumerate() {
        memory[line * LINE] = next * LINE;
    }
    memory
}

fn walk(memory: &[usize], steps: usize) -> u64 {
    (0..steps).fold(0, |place, _| memory[place]) as u64
}

fn sum(memory: &[usize]) -> u64 {
    memory.iter().map(|&number| number as u64).fold(0, u64::wrapping_add)
}

/// Work without memory.
fn compute() -> u64 {
    (0..4_000_000).fold(1, |number, _| step(number))
}

/// Xorshift, by Marsaglia.
fn step(number: u64) -> u64 {
    let number = number ^ number << 13;
    let number = number ^ number >> 7;
    number ^ number << 17
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_walk_goes_through_all_lines_and_comes_back() {
        use super::{circle, walk};
        let memory = circle(1_000);
        let back = (1..=1_000).find(|&steps| walk(&memory, steps) == 0);
        assert_eq!(back, Some(1_000));
    }
}
