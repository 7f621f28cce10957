//! `structural`: the eight categories of mutations (Core ECS, table 2), one row each: a million entities,
//! through the library, in parallel and one by one, and through `bevy_ecs` and `hecs`.
//!
//! It first prints a table of medians over rounds, and asserts that the contenders' results are equal; criterion's
//! figures follow. The time is that of a whole row: the systems, and the application of their effects.

mod bevy;
mod hecs;
mod library;
mod rows;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use rows::{Contender, Row};
use std::time::{Duration, Instant};

/// Makes a contender, if it implements the row differently from its other form.
type Make = fn(Row, usize) -> Option<Box<dyn Contender>>;

const CONTENDERS: [(&str, Make); 6] = [
    ("concurrent", |row, entities| Some(library::concurrent(row, entities))),
    ("one by one", |row, entities| Some(library::one_by_one(row, entities))),
    ("bevy, each", |row, entities| Some(bevy::each(row, entities))),
    ("bevy, batch", |row, entities| Some(bevy::batch(row, entities))),
    ("hecs", |row, entities| Some(hecs::buffers(row, entities))),
    ("hecs, in place", hecs::in_place),
];

/// Whether criterion runs each benchmark once only.
fn is_test() -> bool {
    std::env::args().any(|argument| argument == "--test")
}

fn entities() -> usize {
    if is_test() { 10_000 } else { 1_000_000 }
}

/// The times of the contenders in one round, in ms; NaN for a missing contender.
type Times = [f64; CONTENDERS.len()];

/// Times a row of each contender in `rounds` rounds. In each round all results must be equal.
fn compare(row: Row, entities: usize, rounds: usize) -> Vec<Times> {
    let mut contenders = CONTENDERS.map(|(_, make)| make(row, entities));
    let round = |_| {
        let mut times = [f64::NAN; CONTENDERS.len()];
        let mut first = None;
        // One run of each contender per round: between two runs of one contender all others run once, so none has
        // warmer caches than another.
        for ((contender, time), (name, _)) in contenders.iter_mut().zip(&mut times).zip(CONTENDERS)
        {
            let Some(contender) = contender else { continue };
            let start = Instant::now();
            contender.run();
            *time = start.elapsed().as_secs_f64() * 1e3;
            let summary = contender.summary();
            assert_eq!(summary, *first.get_or_insert(summary), "{}: {name}", row.name());
            if !row.is_update() {
                contender.reset();
            }
        }
        times
    };
    (0..rounds).map(round).collect()
}

/// The median of `f` over all rounds.
fn median(rounds: &[Times], f: impl Fn(&Times) -> f64) -> f64 {
    let mut values: Vec<f64> = rounds.iter().map(f).collect();
    values.sort_unstable_by(f64::total_cmp);
    values[values.len() / 2]
}

fn print_cell(value: f64) {
    if value.is_nan() { print!(" |") } else { print!(" {value:.2} |") }
}

fn table(entities: usize, rounds: usize) {
    println!("{entities} entities, median of {rounds} rounds (updates: four times as many), ms\n");
    print!("| category |");
    for (name, _) in CONTENDERS {
        print!(" {name} |");
    }
    println!(
        " one by one / concurrent | best bevy / concurrent | hecs / concurrent | in place / concurrent |"
    );
    println!("| --- |{}", " ---: |".repeat(CONTENDERS.len() + 4));
    for row in Row::ALL {
        let rounds = if row.is_update() { 4 * rounds } else { rounds };
        let rounds = compare(row, entities, rounds);
        print!("| {} |", row.name());
        for contender in 0..CONTENDERS.len() {
            print_cell(median(&rounds, |times| times[contender]));
        }
        print_cell(median(&rounds, |[concurrent, one_by_one, ..]| one_by_one / concurrent));
        let bevy = |[concurrent, _, each, batch, ..]: &Times| each.min(*batch) / concurrent;
        print_cell(median(&rounds, bevy));
        print_cell(median(&rounds, |[concurrent, .., hecs, _]| hecs / concurrent));
        print_cell(median(&rounds, |[concurrent, .., in_place]| in_place / concurrent));
        println!();
    }
    println!();
}

fn structural(c: &mut Criterion) {
    let entities = entities();
    table(entities, if is_test() { 1 } else { 15 });
    // The environment variable `TABLE` leaves out criterion's figures.
    if std::env::var_os("TABLE").is_some() {
        return;
    }
    for row in Row::ALL {
        let mut group = c.benchmark_group(format!("structural/{}", row.name()));
        group.throughput(Throughput::Elements(entities as u64)).sample_size(10);
        for (name, make) in CONTENDERS {
            let Some(mut contender) = make(row, entities) else { continue };
            group.bench_function(BenchmarkId::from_parameter(name), |b| {
                b.iter_custom(|times| {
                    let mut total = Duration::ZERO;
                    for _ in 0..times {
                        let start = Instant::now();
                        contender.run();
                        total += start.elapsed();
                        if !row.is_update() {
                            contender.reset();
                        }
                    }
                    total
                });
            });
        }
        group.finish();
    }
}

criterion_group!(benches, structural);
criterion_main!(benches);
