//! `changes`: a million entities, of which a system writes none, 1 % or all, and a second one reads those that have changed:
//! in the library, in `bevy_ecs` and in plain vectors.
//!
//! `cargo bench --bench changes` prints milliseconds of a step with both systems. `-- --test` runs each contender for a few
//! steps with few entities, and compares the sums.
//!
//! The contenders of a round run one after the other. A figure is the median of 21 rounds.

mod bevy;
mod by_hand;
mod library;

use std::time::Instant;

/// Rounds of a measurement.
const ROUNDS: usize = 21;
/// How many of a hundred entities are written.
const SHARES: [u32; 3] = [0, 1, 100];

/// Whether an entity is written in a step.
#[inline]
fn is_due(number: u32, share: u32) -> bool {
    number % 100 < share
}

/// A program with both systems.
trait Contender {
    /// Runs one step, which writes such a share of the entities.
    fn step(&mut self, share: u32);
    /// The sum of the values that have changed in the last step.
    fn sum(&self) -> u64;
}

struct Row {
    name: &'static str,
    make: fn(u32) -> Box<dyn Contender>,
}

const ROWS: [Row; 4] = [
    Row { name: "by hand, a bit for each", make: by_hand::new },
    Row { name: "library, one thread", make: library::on_one },
    Row { name: "library, two threads", make: library::on_two },
    Row { name: "bevy", make: bevy::new },
];

fn main() {
    let is_test = std::env::args().any(|argument| argument == "--test");
    let (entities, rounds) = if is_test { (10_000, 2) } else { (1_000_000, ROUNDS) };
    let mut all: Vec<_> = ROWS.iter().map(|row| (row.make)(entities)).collect();
    let mut times: Vec<[Vec<f64>; SHARES.len()]> =
        ROWS.iter().map(|_| Default::default()).collect();
    for round in 0..=rounds {
        for (column, share) in SHARES.into_iter().enumerate() {
            let mut expected = None;
            for ((row, contender), times) in ROWS.iter().zip(&mut all).zip(&mut times) {
                let start = Instant::now();
                contender.step(share);
                let time = start.elapsed().as_secs_f64() * 1e3;
                // In the first step of all, every entity is new.
                if round > 0 {
                    times[column].push(time);
                    let sum = contender.sum();
                    assert_eq!(*expected.get_or_insert(sum), sum, "{}", row.name);
                }
            }
        }
    }
    println!("| ms | none | 1 % | all |");
    println!("| --- | ---: | ---: | ---: |");
    for (row, times) in ROWS.iter().zip(&mut times) {
        let [none, some, all] = times.each_mut().map(|times| {
            times.sort_by(f64::total_cmp);
            times[times.len() / 2]
        });
        println!("| {} | {none:.3} | {some:.3} | {all:.3} |", row.name);
    }
}
