//! The cost of a world's history: iteration and memory after many despawns and spawns, compared with a new world.
//!
//! The contenders alternate; the tables have the best of several rounds.

#[path = "../memory/mod.rs"]
mod memory;
mod worn;

use std::time::{Duration, Instant};

/// Whether each contender runs once only, to show that it runs.
fn is_test() -> bool {
    std::env::args().any(|argument| argument == "--test")
}

/// Pseudorandom numbers, the same in each run.
struct Dice(u64);

impl Dice {
    /// A number below `end`.
    fn roll(&mut self, end: usize) -> usize {
        // Knuth's linear congruential generator; its upper half is random enough here.
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
}

/// The best times of several contenders in `rounds` rounds, in which they alternate.
fn best_of<const N: usize>(rounds: usize, contenders: [&mut dyn FnMut(); N]) -> [Duration; N] {
    let mut best = [Duration::MAX; N];
    let mut contenders = contenders;
    for _ in 0..rounds {
        for (contender, best) in contenders.iter_mut().zip(&mut best) {
            let start = Instant::now();
            contender();
            *best = start.elapsed().min(*best);
        }
    }
    best
}

fn main() {
    worn::tables();
}
