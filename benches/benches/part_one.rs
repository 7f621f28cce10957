//! The thesis's part I: inheritance, object composition and this library, on one
//! thread: a frame of the role-playing game, and one of the GUI.

use criterion::measurement::WallTime;
use criterion::{
    BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main,
};
use ecs_examples::part_one::{Encoding, by_turns, gui, rpg};
use std::hint::black_box;

/// The numbers of entities; few in a test, which only shows that each benchmark runs.
fn sizes() -> [usize; 2] {
    if std::env::args().any(|arg| arg == "--test") { [60, 120] } else { [1_200, 120_000] }
}

fn frames<E: Encoding>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    id: BenchmarkId,
    kinds: &[E::Kind],
) {
    group.throughput(Throughput::Elements(kinds.len() as u64));
    let mut program = E::new(kinds);
    group.bench_function(id, |b| b.iter(|| black_box(&mut program).update()));
}

fn part_one(c: &mut Criterion) {
    let mut group = c.benchmark_group("part_one");
    for entities in sizes() {
        let cast = by_turns(&rpg::Kind::ALL, entities);
        let id = |encoding: &str| BenchmarkId::new(format!("rpg/{encoding}"), entities);
        frames::<rpg::inheritance::Game>(&mut group, id("inheritance"), &cast);
        frames::<rpg::composition::Game>(&mut group, id("composition"), &cast);
        frames::<rpg::ecs::Game>(&mut group, id("ecs_core"), &cast);
        let form = by_turns(&gui::Kind::ALL, entities);
        let id = |encoding: &str| BenchmarkId::new(format!("gui/{encoding}"), entities);
        frames::<gui::inheritance::Gui>(&mut group, id("inheritance"), &form);
        frames::<gui::composition::Gui>(&mut group, id("composition"), &form);
        frames::<gui::ecs::Gui>(&mut group, id("ecs_core"), &form);
    }
    group.finish();
}

criterion_group!(benches, part_one);
criterion_main!(benches);
