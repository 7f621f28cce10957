//! A flock of boids: through the library, with a query that has a bounded grid, and by hand, with the same grid.
//!
//! Both compute the same positions, bit for bit. The line with the ratio is of rounds in which the two alternate.

use std::sync::Arc;

use benches::boids::{BOIDS, Boids};
use benches::{beside, by_hand, flock};
use ecs_core::Threads;
use rayon::ThreadPoolBuilder;

/// Steps before the measurement, after which the flock no longer lies at random.
const FIRST: usize = 100;
/// Steps of a round.
const STEPS: usize = 20;

fn main() {
    let boids = flock::boids(BOIDS);
    for count in [1, 2] {
        let threads = if count == 1 {
            Threads::Inline
        } else {
            let pool = ThreadPoolBuilder::new().num_threads(count).build();
            Threads::Pool(Arc::new(pool.expect("the threads can be started")))
        };
        let mut library = Boids::new(&boids, threads);
        let mut by_hand = by_hand::boids::Boids::new(&boids, count);
        for _ in 0..FIRST {
            library.step();
            by_hand.step();
        }
        let (one, other) = beside::best_of(
            30,
            || (0..STEPS).for_each(|_| library.step()),
            || (0..STEPS).for_each(|_| by_hand.step()),
        );
        assert_eq!(library.positions(), by_hand.positions());
        let steps = STEPS as u32;
        let title = format!("{BOIDS} boids, a step, threads: {count}");
        beside::report(&title, ("library", one / steps), ("by hand", other / steps));
    }
}
