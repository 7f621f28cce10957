//! `simple_iter` as a kernel and with a body for each entity, and the same loop over flat slices by hand.

use benches::beside::{best_of, report};
use benches::kernel::{Form, Line, advance_by_hand, filled};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use ecs_core::World;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Many executions in one step, so that the time is that of iterating.
fn execute(world: &mut World<Line>, times: u64) -> Duration {
    let timed = world.step(|step| {
        let start = Instant::now();
        for _ in 0..times {
            step.execute_systems();
            black_box(&mut *step);
        }
        start.elapsed()
    });
    timed.expect("nothing is spawned")
}

fn iter(c: &mut Criterion) {
    let mut group = c.benchmark_group("simple_iter_kernel");
    for entities in [10_000, 1_000_000] {
        group.throughput(Throughput::Elements(entities as u64));
        let (mut places, speeds) = (vec![0.0; entities], vec![1.0; entities]);
        group.bench_function(BenchmarkId::new("by_hand", entities), |b| {
            b.iter(|| advance_by_hand(black_box(&mut places), black_box(&speeds)));
        });
        for (name, form) in [("kernel", Form::Runs), ("for_entities", Form::Entities)] {
            let mut world = filled(entities, form);
            group.bench_function(BenchmarkId::new(name, entities), |b| {
                b.iter_custom(|times| execute(&mut world, times));
            });
            let times = 10_000_000 / entities as u64;
            let (library, by_hand) = best_of(
                20,
                || {
                    execute(&mut world, times);
                },
                || {
                    for _ in 0..times {
                        advance_by_hand(black_box(&mut places), black_box(&speeds));
                    }
                },
            );
            report(
                &format!("simple_iter_kernel/{entities}"),
                (name, library),
                ("by hand", by_hand),
            );
        }
    }
    group.finish();
}

criterion_group!(benches, iter);
criterion_main!(benches);
