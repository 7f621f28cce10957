//! Prints, as a table, the times of the library and those by hand. They alternate in one process, so the
//! ratios hold on a machine whose speed drifts.
//!
//! `cargo run --release -p benches --example compare -- [particles|churn] [ENTITIES] [ROUNDS] [FRAMES]`

#![forbid(unsafe_code)]

use benches::by_hand;
use ecs_examples::particles::{Disc, random_discs};
use ecs_examples::simulation::{RunConfig, Simulation, Storage, Workload, Worlds};
use ecs_examples::worlds::EcsWorlds;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::Arc;
use std::time::{Duration, Instant};

const SEED: u64 = 1;

fn main() {
    let mut args = std::env::args().skip(1);
    let workload = args.next().unwrap_or_else(|| "particles".into());
    let number =
        |text: Option<String>, default| text.map_or(default, |t| t.parse().expect("a number"));
    let entities = number(args.next(), 50_000);
    let rounds = number(args.next(), 3);
    let frames = number(args.next(), usize::MAX);
    println!("{workload}, {entities} entities, best of {rounds} runs, in turns\n");
    println!("| threads | by hand, ms | library, ms | ratio | ns per unit |");
    println!("| ---: | ---: | ---: | ---: | ---: |");
    for threads in [1, 2] {
        let (mut hand, mut library, mut units) = (Duration::MAX, Duration::MAX, 1);
        for _ in 0..rounds {
            let (time, count) = match workload.as_str() {
                "churn" => churn_by_hand(entities, threads, frames),
                _ => particles_by_hand(entities, threads, frames),
            };
            hand = hand.min(time);
            units = count;
            library = library.min(through_library(&workload, entities, threads, frames));
        }
        println!(
            "| {threads} | {:.0} | {:.0} | {:.3} | {:.1} |",
            hand.as_secs_f64() * 1e3,
            library.as_secs_f64() * 1e3,
            library.as_secs_f64() / hand.as_secs_f64(),
            library.as_secs_f64() * 1e9 / units as f64,
        );
    }
    println!("\nA unit is a frame of a disc, or a creation with its destruction.");
}

/// The time of a run of at most `frames` frames by hand, and the sum over the frames of the living discs.
fn particles_by_hand(entities: usize, threads: usize, frames: usize) -> (Duration, u64) {
    let discs: Vec<Disc> = random_discs(entities, SEED).collect();
    let start = Instant::now();
    let mut particles = by_hand::particles::Particles::new(&discs, threads);
    let mut units = 0;
    for _ in 0..frames {
        if particles.alive() == 0 {
            break;
        }
        units += particles.alive() as u64;
        particles.frame();
    }
    (start.elapsed(), units)
}

/// The time of a run by hand, and the number of created entities.
fn churn_by_hand(entities: usize, threads: usize, frames: usize) -> (Duration, u64) {
    let start = Instant::now();
    let mut churn = by_hand::churn::Churn::new(entities, SEED, threads);
    let _ = (0..frames).find(|_| churn.step() == 0);
    (start.elapsed(), churn.created())
}

/// The time of a run through the library, with dynamic storage, and with inner parallelism if there is a second thread.
/// Like the program, it steps on a thread of the pool.
fn through_library(workload: &str, entities: usize, threads: usize, frames: usize) -> Duration {
    let pool = pool(threads);
    pool.install(|| in_pool(&pool, workload, entities, threads, frames))
}

fn in_pool(
    pool: &Arc<ThreadPool>,
    workload: &str,
    entities: usize,
    threads: usize,
    frames: usize,
) -> Duration {
    let mut config = RunConfig {
        workload: Workload::Particles,
        entities,
        frames: None,
        storage: Storage::Dynamic,
        inner_parallelism: threads > 1,
        threads,
        seed: SEED,
    };
    if workload == "churn" {
        config.workload = Workload::Churn;
        let start = Instant::now();
        let mut world = EcsWorlds.churn(&config, pool).expect("there is room");
        return run(&mut *world, frames, start);
    }
    let discs: Vec<Disc> = random_discs(entities, SEED).collect();
    let start = Instant::now();
    let mut world =
        EcsWorlds.particles(&config, pool, &mut discs.into_iter()).expect("there is room");
    run(&mut *world, frames, start)
}

fn run<S: Simulation + ?Sized>(world: &mut S, frames: usize, start: Instant) -> Duration {
    for _ in 0..frames {
        if world.alive() == 0 {
            break;
        }
        world.frame().expect("there is room");
    }
    start.elapsed()
}

fn pool(threads: usize) -> Arc<ThreadPool> {
    Arc::new(ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be started"))
}
