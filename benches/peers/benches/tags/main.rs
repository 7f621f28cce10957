//! `tags`: a tag that half of the entities toggle in each step, and a system that iterates over the entities that have
//! it: through the library, `bevy_ecs`, `hecs`, `shipyard` and `specs`.
//!
//! In each step, the entities with the tag move; then, of the half that blinks, those with the tag lose it, and those
//! without it get it. The contenders alternate; the table has the best of several rounds.

mod bevy;
mod hecs;
mod library;
mod shipyard;
mod specs;

use std::time::{Duration, Instant};

/// Whether each contender runs once only, to show that it runs.
fn is_test() -> bool {
    std::env::args().any(|argument| argument == "--test")
}

/// Whether the entity blinks, and whether it has the tag at first: half of the blinking ones have it, and half of the
/// others.
pub(crate) fn start(n: usize) -> (bool, bool) {
    (n.is_multiple_of(2), n % 4 < 2)
}

/// A world that performs such a step.
pub(crate) trait Contender {
    fn step(&mut self);

    /// The number of entities with the tag, and the sum of all positions, which are whole numbers.
    fn summary(&mut self) -> (usize, f64);
}

fn main() {
    let (entities, rounds) = if is_test() { (1_000, 2) } else { (100_000, 30) };
    let mut all: [(&str, Box<dyn Contender>); 7] = [
        ("library, `empty`", Box::new(library::empty::Tagged::new(entities))),
        ("library, `sparse_set`", Box::new(library::sparse::Tagged::new(entities))),
        ("bevy, table", Box::new(bevy::Tagged::<bevy::Row>::new(entities))),
        ("bevy, sparse set", Box::new(bevy::Tagged::<bevy::Apart>::new(entities))),
        ("hecs", Box::new(hecs::Tagged::new(entities))),
        ("shipyard", Box::new(shipyard::Tagged::new(entities))),
        ("specs", Box::new(specs::Tagged::new(entities))),
    ];
    let mut times = [Duration::MAX; 7];
    for _ in 0..rounds {
        for ((_, contender), best) in all.iter_mut().zip(&mut times) {
            let start = Instant::now();
            contender.step();
            *best = start.elapsed().min(*best);
        }
    }
    let summaries = all.each_mut().map(|(_, contender)| contender.summary());
    println!(
        "{entities} entities, half of which toggle a tag each step; one thread, best of {rounds} in turns, ms\n"
    );
    println!("| | a step | times the library's |\n| --- | ---: | ---: |");
    for ((name, _), (time, summary)) in all.iter().zip(times.iter().zip(summaries)) {
        assert_eq!(summary, summaries[0], "{name}");
        let ratio = time.as_secs_f64() / times[0].as_secs_f64();
        println!("| {name} | {:.3} | {ratio:.2} |", time.as_secs_f64() * 1e3);
    }
    println!();
}
