//! Snapshots into the memory of an older one, restorations and state hashes, after all values have changed and entities have not,
//! compared with copies and hashes of the same vectors by hand. What has not changed is neither copied nor hashed again:
//! `benches/peers/rollback` has times for few changes.

use benches::beside::{best_of, report};
use benches::snapshot::{Columns, change, scene};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use ecs_core::Threads;
use ecs_examples::tower_defence::library::Game;
use ecs_examples::tower_defence::{Design, rules as tower_defence};
use std::hint::black_box;

fn copies(c: &mut Criterion) {
    let mut group = c.benchmark_group("snapshot");
    for entities in [10_000, 1_000_000] {
        let (from, mut to) = (Columns::new(entities), Columns::new(entities));
        group.throughput(Throughput::Bytes(from.bytes() as u64));
        group.bench_function(BenchmarkId::new("by_hand", entities), |b| {
            b.iter(|| to.copy(black_box(&from)));
        });
        let mut world = scene(entities, false);
        let mut snapshot = world.snapshot();
        group.bench_function(BenchmarkId::new("snapshot_into", entities), |b| {
            b.iter(|| {
                change(&mut world);
                black_box(&world).snapshot_into(&mut snapshot);
            });
        });
        group.bench_function(BenchmarkId::new("restore", entities), |b| {
            b.iter(|| {
                change(&mut world);
                world.restore(black_box(&snapshot))
            });
        });
        let mut gappy = scene(entities, true);
        let mut other = gappy.snapshot();
        group.bench_function(BenchmarkId::new("snapshot_into_with_gaps", entities), |b| {
            b.iter(|| {
                change(&mut gappy);
                black_box(&gappy).snapshot_into(&mut other);
            });
        });
        let times = 2_000_000 / entities;
        let (library, by_hand) = best_of(
            20,
            || {
                (0..times).for_each(|_| {
                    change(&mut world);
                    black_box(&world).snapshot_into(&mut snapshot);
                });
            },
            || (0..times).for_each(|_| to.copy(black_box(&from))),
        );
        group.bench_function(BenchmarkId::new("hash_by_hand", entities), |b| {
            b.iter(|| black_box(&from).hash());
        });
        group.bench_function(BenchmarkId::new("state_hash", entities), |b| {
            b.iter(|| {
                change(&mut world);
                black_box(&world).state_hash()
            });
        });
        report(&format!("snapshot/{entities}"), ("snapshot_into", library), ("by hand", by_hand));
        let (library, by_hand) = best_of(
            20,
            || {
                (0..times).for_each(|_| {
                    change(&mut world);
                    assert_ne!(black_box(&world).state_hash(), 0);
                });
            },
            || (0..times).for_each(|_| assert_ne!(black_box(&from).hash(), 0)),
        );
        report(&format!("state_hash/{entities}"), ("state_hash", library), ("by hand", by_hand));
    }
    group.finish();
}

/// What a rollback of eight frames costs in a game: the tower defence goes back, and takes eight steps, each with a snapshot and a
/// checksum; beside eight steps alone.
fn resimulation(_: &mut Criterion) {
    const FRAMES: usize = 8;
    let size = tower_defence::Size { enemies: 10_000, towers: 200 };
    let mut game = Game::new(size, Threads::Global);
    (0..100).for_each(|_| game.frame());
    let mut world = game.world().clone();
    let mut ring: Vec<_> = (0..=FRAMES).map(|_| world.snapshot()).collect();
    let (mut ahead, start) = (world.clone(), world.snapshot());
    let (with_saves, alone) = best_of(
        30,
        || {
            world.restore(&ring[0]).expect("the same limit");
            for snapshot in &mut ring[1..] {
                world.tick().expect("there is room");
                world.snapshot_into(snapshot);
                assert_ne!(world.state_hash(), 0);
            }
        },
        || {
            ahead.restore(&start).expect("the same limit");
            (0..FRAMES).for_each(|_| ahead.tick().expect("there is room"));
        },
    );
    let title = format!("resimulation/{}", start.entity_count());
    report(&title, ("with saves and checksums", with_saves), ("restored, steps alone", alone));
}

criterion_group!(benches, copies, resimulation);
criterion_main!(benches);
