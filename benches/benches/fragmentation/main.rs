//! What a world's past costs: iteration and memory after many despawns and spawns, beside a world that was just
//! built.
//!
//! All contenders take turns; the tables have the best of so many rounds.

#[path = "../memory/mod.rs"]
mod memory;
mod worn;

use std::time::{Duration, Instant};

/// Whether everything is to be run just once, to see that it runs.
fn is_test() -> bool {
    std::env::args().any(|argument| argument == "--test")
}

/// Numbers that look random, and are the same in each run.
struct Dice(u64);

impl Dice {
    /// Below `end`.
    fn roll(&mut self, end: usize) -> usize {
        // Knuth's linear congruential generator; its upper half is random enough for this.
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
}

/// The best times of several contenders in so many rounds, in which they take turns.
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
