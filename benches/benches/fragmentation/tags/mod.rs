//! A tag that half of the entities toggle in each step, and a system that goes over those who have it: through
//! the library, `bevy_ecs`, `hecs`, `shipyard` and `specs`.
//!
//! Each step, those who have the tag move; then, of the half that blinks, those with the tag lose it, and those
//! without it get it.

mod bevy;
mod hecs;
mod library;
mod shipyard;
mod specs;

use crate::{best_of, is_test};

/// Who blinks, and who has the tag at first: half of those who blink, and half of the others.
pub(crate) fn start(n: usize) -> (bool, bool) {
    (n.is_multiple_of(2), n % 4 < 2)
}

/// A world that can take such a step.
pub(crate) trait Contender {
    fn step(&mut self);

    /// How many entities have the tag, and the sum of all positions, which are whole numbers.
    fn summary(&mut self) -> (usize, f64);
}

pub(crate) fn table() {
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
    let [a, b, c, d, e, f, g] = all.each_mut().map(|(_, contender)| contender);
    let times = best_of(
        rounds,
        [
            &mut || a.step(),
            &mut || b.step(),
            &mut || c.step(),
            &mut || d.step(),
            &mut || e.step(),
            &mut || f.step(),
            &mut || g.step(),
        ],
    );
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
