//! The thesis's two benchmarks, whole runs: the library and the same program by hand, in one
//! group each, on one thread and on two.

use benches::by_hand;
use criterion::{BenchmarkId, Criterion, SamplingMode, criterion_group, criterion_main};
use ecs_examples::particles::{Disc, random_discs};
use ecs_examples::simulation::{RunConfig, Simulation, Storage, Workload, Worlds};
use ecs_examples::worlds::EcsWorlds;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::Arc;

const SEED: u64 = 1;

/// The numbers of entities; few in a test, which only shows that each benchmark runs.
fn sizes() -> [usize; 2] {
    if std::env::args().any(|arg| arg == "--test") { [500, 2_000] } else { [50_000, 200_000] }
}

fn config(workload: Workload, entities: usize, threads: usize) -> RunConfig {
    RunConfig {
        workload,
        entities,
        frames: None,
        storage: Storage::Dynamic,
        inner_parallelism: threads > 1,
        threads,
        seed: SEED,
    }
}

fn pool(threads: usize) -> Arc<ThreadPool> {
    Arc::new(ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be started"))
}

fn to_the_end<S: Simulation + ?Sized>(world: &mut S) {
    while world.alive() > 0 {
        world.frame().expect("there is room");
    }
}

fn particles(c: &mut Criterion) {
    for entities in sizes() {
        let mut group = c.benchmark_group(format!("particles/{entities}"));
        group.sample_size(10).sampling_mode(SamplingMode::Flat);
        let discs: Vec<Disc> = random_discs(entities, SEED).collect();
        for threads in [1, 2] {
            group.bench_function(BenchmarkId::new("by_hand", threads), |b| {
                b.iter(|| {
                    let mut particles = by_hand::particles::Particles::new(&discs, threads);
                    while particles.alive() > 0 {
                        particles.frame();
                    }
                });
            });
            let (config, pool) = (config(Workload::Particles, entities, threads), pool(threads));
            group.bench_function(BenchmarkId::new("ecs_core", threads), |b| {
                b.iter(|| {
                    pool.install(|| {
                        let world = EcsWorlds.particles(&config, &pool, &mut discs.iter().copied());
                        to_the_end(&mut *world.expect("there is room"));
                    });
                });
            });
        }
        group.finish();
    }
}

fn churn(c: &mut Criterion) {
    for entities in sizes() {
        let mut group = c.benchmark_group(format!("churn/{entities}"));
        group.sample_size(10).sampling_mode(SamplingMode::Flat);
        for threads in [1, 2] {
            group.bench_function(BenchmarkId::new("by_hand", threads), |b| {
                b.iter(|| {
                    let mut churn = by_hand::churn::Churn::new(entities, SEED, threads);
                    while churn.step() > 0 {}
                });
            });
            let (config, pool) = (config(Workload::Churn, entities, threads), pool(threads));
            group.bench_function(BenchmarkId::new("ecs_core", threads), |b| {
                b.iter(|| {
                    pool.install(|| {
                        to_the_end(&mut *EcsWorlds.churn(&config, &pool).expect("there is room"));
                    });
                });
            });
        }
        group.finish();
    }
}

criterion_group!(benches, particles, churn);
criterion_main!(benches);
