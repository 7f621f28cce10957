//! Prints how long the programs written by hand take.

use benches::by_hand::particles::{Particles, Phase};
use ecs_examples::particles::{Disc, random_discs};
use std::time::{Duration, Instant};

const PHASES: [Phase; 8] = [
    Phase::Move,
    Phase::Measure,
    Phase::Reserve,
    Phase::Fill,
    Phase::Collide,
    Phase::Solve,
    Phase::Render,
    Phase::Remove,
];

fn main() {
    let only: Vec<usize> = std::env::args().skip(1).map(|a| a.parse().unwrap()).collect();
    let reps: usize = std::env::var("REPS").map_or(3, |r| r.parse().unwrap());
    for count in [50_000, 100_000, 200_000] {
        if !only.is_empty() && !only.contains(&count) {
            continue;
        }
        let discs: Vec<Disc> = random_discs(count, 1).collect();
        for threads in [1, 2] {
            let mut best = Duration::MAX;
            let mut phases = [Duration::MAX; 8];
            let mut contacts = 0;
            for _ in 0..reps {
                let start = Instant::now();
                let mut world = Particles::new(&discs, threads);
                let (mut frames, mut found) = (0, 0);
                while world.alive() > 0 {
                    found += world.frame();
                    frames += 1;
                }
                assert_eq!(frames, 625);
                contacts = found;
                best = best.min(start.elapsed());

                let mut sums = [Duration::ZERO; 8];
                let mut world = Particles::new(&discs, threads);
                let mut last = Instant::now();
                while world.alive() > 0 {
                    world.frame_observed(|phase| {
                        let now = Instant::now();
                        sums[PHASES.iter().position(|&p| p == phase).unwrap()] += now - last;
                        last = now;
                    });
                }
                for (best, sum) in phases.iter_mut().zip(sums) {
                    *best = sum.min(*best);
                }
            }
            let per_frame = |time: Duration| time.as_secs_f64() * 1e3 / 625.0;
            print!("{count:7} discs {threads} threads {:7.3} ms/frame, {contacts} contacts:", per_frame(best));
            for (phase, time) in PHASES.iter().zip(phases) {
                print!(" {phase:?} {:.3}", per_frame(time));
            }
            println!();
        }
    }
}
