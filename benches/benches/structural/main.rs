//! `structural`: the eight categories of mutations (Core ECS, table 2), one row each: a million entities,
//! through the library, side by side and one by one, and through `bevy_ecs` and `hecs`.
//!
//! The table that it prints first is measured in rounds, medians of them, and its results are compared;
//! criterion's figures follow. What is timed is the whole of a row: systems, and what applies their effects.

mod bevy;
mod hecs;
mod library;
mod rows;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use rows::{Contender, Row, Summary};
use std::time::{Duration, Instant};

type Make = fn(Row, usize) -> Box<dyn Contender>;

const CONTENDERS: [(&str, Make); 5] = [
    ("concurrent", library::concurrent),
    ("one by one", library::one_by_one),
    ("bevy, each", bevy::each),
    ("bevy, batch", bevy::batch),
    ("hecs", hecs::buffers),
];

/// Whether criterion runs everything just once.
fn is_test() -> bool {
    std::env::args().any(|argument| argument == "--test")
}

fn entities() -> usize {
    if is_test() { 10_000 } else { 1_000_000 }
}

/// The times of the contenders in one round, in ms.
type Times = [f64; CONTENDERS.len()];

/// Times a row of each contender, in so many rounds; in each of them all must come to the same result.
fn compare(row: Row, entities: usize, rounds: usize) -> Vec<Times> {
    let mut contenders = CONTENDERS.map(|(_, make)| make(row, entities));
    let round = |_| {
        let mut times = [0.0; CONTENDERS.len()];
        let mut summaries = [Summary::default(); CONTENDERS.len()];
        // Each in one go, so that between two runs of anyone there are the same runs of all others: nobody
        // finds more in the caches than they do.
        for ((contender, time), summary) in
            contenders.iter_mut().zip(&mut times).zip(&mut summaries)
        {
            let start = Instant::now();
            contender.run();
            *time = start.elapsed().as_secs_f64() * 1e3;
            *summary = contender.summary();
            if !row.is_update() {
                contender.reset();
            }
        }
        for (summary, (name, _)) in summaries.iter().zip(CONTENDERS) {
            assert_eq!(*summary, summaries[0], "{}: {name}", row.name());
        }
        times
    };
    (0..rounds).map(round).collect()
}

/// The median over all rounds.
fn median(rounds: &[Times], f: impl Fn(&Times) -> f64) -> f64 {
    let mut values: Vec<f64> = rounds.iter().map(f).collect();
    values.sort_unstable_by(f64::total_cmp);
    values[values.len() / 2]
}

fn table(entities: usize, rounds: usize) {
    println!("{entities} entities, median of {rounds} rounds (updates: four times as many), ms\n");
    print!("| category |");
    for (name, _) in CONTENDERS {
        print!(" {name} |");
    }
    println!(" one by one / concurrent | best bevy / concurrent | hecs / concurrent |");
    println!("| --- |{}", " ---: |".repeat(CONTENDERS.len() + 3));
    for row in Row::ALL {
        let rounds = if row.is_update() { 4 * rounds } else { rounds };
        let rounds = compare(row, entities, rounds);
        print!("| {} |", row.name());
        for contender in 0..CONTENDERS.len() {
            print!(" {:.2} |", median(&rounds, |times| times[contender]));
        }
        println!(
            " {:.2} | {:.2} | {:.2} |",
            median(&rounds, |[concurrent, one_by_one, ..]| one_by_one / concurrent),
            median(&rounds, |[concurrent, _, each, batch, _]| each.min(*batch) / concurrent),
            median(&rounds, |[concurrent, .., hecs]| hecs / concurrent)
        );
    }
    println!();
}

fn structural(c: &mut Criterion) {
    let entities = entities();
    table(entities, if is_test() { 1 } else { 15 });
    // The table alone, if asked for.
    if std::env::var_os("TABLE").is_some() {
        return;
    }
    for row in Row::ALL {
        let mut group = c.benchmark_group(format!("structural/{}", row.name()));
        group.throughput(Throughput::Elements(entities as u64)).sample_size(10);
        for (name, make) in CONTENDERS {
            let mut contender = make(row, entities);
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
