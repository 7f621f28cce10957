//! `simple_iter` and `simple_insert`: the library and the same code by hand, in one group each.

use benches::bundle::{Position, Rotation, Transform, Velocity, bundle};
use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use ecs_core::{Threads, World, world};
use std::hint::black_box;

world! {
    world Simple { entity_limit: dynamic(10_000) }
    component Transform, Position, Rotation, Velocity;
    system Move {
        each: |position: &mut Position, velocity: &Velocity| {
            for axis in 0..3 {
                position.0[axis] += velocity.0[axis];
            }
        },
    }
}

/// The columns of the by-hand form.
#[derive(Default)]
struct Columns {
    transforms: Vec<Transform>,
    positions: Vec<Position>,
    rotations: Vec<Rotation>,
    velocities: Vec<Velocity>,
}

impl Columns {
    fn push(&mut self) {
        let (transform, position, rotation, velocity) = bundle();
        self.transforms.push(transform);
        self.positions.push(position);
        self.rotations.push(rotation);
        self.velocities.push(velocity);
    }

    #[inline(never)]
    fn advance(&mut self) {
        for (position, velocity) in self.positions.iter_mut().zip(&self.velocities) {
            for axis in 0..3 {
                position.0[axis] += velocity.0[axis];
            }
        }
    }
}

fn filled(entities: usize) -> World<Simple> {
    let mut world = World::on(Threads::Inline);
    let filled = world.step(|step| {
        (0..entities).for_each(|_| {
            step.spawn(bundle());
        });
    });
    filled.expect("nothing is staged");
    world
}

fn iter(c: &mut Criterion) {
    let mut group = c.benchmark_group("simple_iter");
    for entities in [10_000, 1_000_000] {
        group.throughput(Throughput::Elements(entities as u64));
        let mut columns = Columns::default();
        (0..entities).for_each(|_| columns.push());
        group.bench_function(BenchmarkId::new("by_hand", entities), |b| {
            b.iter(|| black_box(&mut columns).advance());
        });
        let mut world = filled(entities);
        group.bench_function(BenchmarkId::new("ecs_core", entities), |b| {
            // Many executions in one step, so that the time is that of iterating.
            b.iter_custom(|times| {
                world
                    .step(|step| {
                        let start = std::time::Instant::now();
                        for _ in 0..times {
                            step.execute_systems();
                            black_box(&mut *step);
                        }
                        start.elapsed()
                    })
                    .expect("nothing is spawned")
            });
        });
    }
    group.finish();
}

fn insert(c: &mut Criterion) {
    const ENTITIES: usize = 10_000;
    let mut group = c.benchmark_group("simple_insert");
    group.throughput(Throughput::Elements(ENTITIES as u64));
    group.bench_function("by_hand", |b| {
        b.iter_batched_ref(
            Columns::default,
            |columns| (0..ENTITIES).for_each(|_| columns.push()),
            BatchSize::LargeInput,
        );
    });
    group.bench_function("ecs_core", |b| {
        b.iter_batched_ref(
            || World::<Simple>::on(Threads::Inline),
            |world| {
                // The step ends with the refresh that updates the system's subscription.
                let filled = world.step(|step| {
                    (0..ENTITIES).for_each(|_| {
                        step.spawn(bundle());
                    });
                });
                filled.expect("nothing is staged");
            },
            BatchSize::LargeInput,
        );
    });
    group.finish();
}

criterion_group!(benches, iter, insert);
criterion_main!(benches);
