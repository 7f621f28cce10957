//! Prints how long the programs written by hand take.

use benches::by_hand::particles::{Particles, Phase};
use ecs_examples::particles::{Disc, random_discs};
use std::time::Instant;

const PHASES: [Phase; 6] =
    [Phase::Move, Phase::Collide, Phase::Sort, Phase::Solve, Phase::Render, Phase::Remove];

fn env(name: &str, default: usize) -> usize {
    std::env::var(name).map_or(default, |value| value.parse().unwrap())
}

fn clock() -> f64 {
    if std::env::var_os("CPU").is_some() {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
        text.split(' ').next().unwrap().parse::<f64>().unwrap() * 1e-9
    } else {
        static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
        START.get_or_init(Instant::now).elapsed().as_secs_f64()
    }
}

fn main() {
    let (reps, every, threads) = (env("REPS", 3), env("FRAMES", 625), env("THREADS", 1));
    let only: Vec<usize> = std::env::args().skip(1).map(|a| a.parse().unwrap()).collect();
    for count in [50_000, 100_000, 200_000] {
        if !only.is_empty() && !only.contains(&count) {
            continue;
        }
        let discs: Vec<Disc> = random_discs(count, 1).collect();
        let mut best = vec![[f64::INFINITY; 6]; every];
        let mut contacts = 0;
        for _ in 0..reps {
            contacts = 0;
            let mut world = Particles::new(&discs, threads);
            for best in &mut best {
                let mut last = clock();
                contacts += world.frame_observed(|phase| {
                    let now = clock();
                    let time = &mut best[PHASES.iter().position(|&p| p == phase).unwrap()];
                    *time = (now - last).min(*time);
                    last = now;
                });
            }
        }
        let total: f64 = best.iter().flatten().sum();
        print!("{count:7} discs {threads} threads {:7.3} ms/frame, {contacts} contacts:", total * 1e3 / every as f64);
        for (at, phase) in PHASES.iter().enumerate() {
            let time: f64 = best.iter().map(|times| times[at]).sum();
            print!(" {phase:?} {:.3}", time * 1e3 / every as f64);
        }
        println!();
    }
}
