//! `structural`: the eight categories of mutations (Core ECS, table 2), one row each: a million entities,
//! through the library, side by side and one by one, and through `bevy_ecs` and `hecs`.
//!
//! The table that it prints first is measured in turns, best of so many, and its results are compared;
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

/// Times a row of each contender in turns; the best times, after all have come to the same result.
fn compare(row: Row, entities: usize, rounds: usize) -> [Duration; CONTENDERS.len()] {
    let mut contenders = CONTENDERS.map(|(_, make)| make(row, entities));
    let mut best = [Duration::MAX; CONTENDERS.len()];
    for _ in 0..rounds {
        let mut summaries = [Summary::default(); CONTENDERS.len()];
        // Each in one go, so that between two runs of anyone there are the same runs of all others: nobody
        // finds more in the caches than they do.
        for ((contender, best), summary) in contenders.iter_mut().zip(&mut best).zip(&mut summaries)
        {
            let start = Instant::now();
            contender.run();
            *best = start.elapsed().min(*best);
            *summary = contender.summary();
            if !row.is_update() {
                contender.reset();
            }
        }
        for (summary, (name, _)) in summaries.iter().zip(CONTENDERS) {
            assert_eq!(*summary, summaries[0], "{}: {name}", row.name());
        }
    }
    best
}

fn table(entities: usize, rounds: usize) {
    println!("{entities} entities, best of {rounds} in turns (updates: four times as many), ms\n");
    print!("| category |");
    for (name, _) in CONTENDERS {
        print!(" {name} |");
    }
    println!(" one by one / concurrent | best bevy / concurrent | hecs / concurrent |");
    println!("| --- |{}", " ---: |".repeat(CONTENDERS.len() + 3));
    for row in Row::ALL {
        let rounds = if row.is_update() { 4 * rounds } else { rounds };
        let times = compare(row, entities, rounds).map(|time| time.as_secs_f64() * 1e3);
        print!("| {} |", row.name());
        for ms in times {
            print!(" {ms:.2} |");
        }
        let [concurrent, one_by_one, each, batch, hecs] = times;
        println!(
            " {:.2} | {:.2} | {:.2} |",
            one_by_one / concurrent,
            each.min(batch) / concurrent,
            hecs / concurrent
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
