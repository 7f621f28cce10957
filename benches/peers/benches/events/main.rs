//! `events`: what goes from entities to others, in the library, in `bevy_ecs` and in plain vectors: a million events, messages or
//! accumulations a step, a million links with values, and 100 000 events that are found by key or by cell.
//!
//! `cargo bench --bench events` prints a table of each: milliseconds of a step on one thread and on two, and what the second
//! thread gains. `-- accumulations` prints the tables with this in their titles. `-- --entities=8000000` sets the number of
//! entities. `-- --test` runs each contender with few
//! entities, and compares the sums.
//!
//! Each of 1 000 000 entities emits its number in each step. A second system adds up all that it reads, with the position
//! of each, so that the order counts. In the second table each sends its number to one of 100 000 others, which adds up
//! what it receives, and in the third such numbers are accumulated. A reader of events is one subtask, or it is split, too: then
//! it adds up numbers whose order does not count. The contenders run one after the other, each for 25 steps; a figure
//! is the median of the last 21. In `flecs_ecs` events have no queue, but call their observers at once.

mod accumulations;
mod bevy;
mod by_hand;
mod flecs;
mod found;
mod library;
mod links;
mod shared;

use std::time::Instant;

/// Steps of a measurement.
const ROUNDS: usize = 21;

/// Steps before these, in which memory is allocated.
const WARMING: usize = 4;

/// The number that the entity emits in the step.
fn number(entity: u32, step: u32) -> u32 {
    entity.wrapping_mul(0x9E37_79B9) ^ step
}

/// What a reader makes of the events: it depends on their order.
fn fold(sum: u64, event: u32) -> u64 {
    sum.rotate_left(1).wrapping_add(u64::from(event))
}

/// The number of the receiver of what the entity sends.
fn receiver(entity: u32, receivers: u32) -> u32 {
    ((u64::from(entity.wrapping_mul(0x9E37_79B9)) * u64::from(receivers)) >> 32) as u32
}

/// A program with events.
trait Contender {
    /// Runs one step.
    fn step(&mut self);
    /// What was read in the last step.
    fn sum(&self) -> u64;
    /// The same, but for roundings, whatever the order.
    fn in_any_order(&self) -> f64 {
        0.0
    }
}

struct Row {
    name: &'static str,
    /// Whether it comes to the same sum as the others.
    ordered: bool,
    make: fn(u32, usize) -> Box<dyn Contender>,
}

const EVENTS: [Row; 5] = [
    Row { name: "by hand", ordered: true, make: by_hand::new },
    Row { name: "library", ordered: true, make: library::new },
    Row { name: "bevy, one writer", ordered: true, make: bevy::one_by_one },
    Row { name: "bevy, par_iter", ordered: false, make: bevy::in_parallel },
    Row { name: "flecs, observers", ordered: true, make: flecs::new },
];

const SHARED: [Row; 4] = [
    Row { name: "by hand", ordered: true, make: shared::by_hand::new },
    Row { name: "library", ordered: true, make: shared::library::new },
    Row { name: "library, `Threads::Eager`", ordered: true, make: shared::library::eager },
    Row { name: "bevy, par_iter and par_read", ordered: true, make: bevy::both_in_parallel },
];

const MESSAGES: [Row; 4] = [
    Row { name: "by hand, sorted", ordered: true, make: by_hand::messages },
    Row { name: "library", ordered: true, make: library::copied::messages },
    Row { name: "library, not `Copy`", ordered: true, make: library::by_place::messages },
    Row { name: "bevy, one by one", ordered: true, make: bevy::messages },
];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let is_test = arguments.iter().any(|argument| argument == "--test");
    let titles: Vec<&String> =
        arguments.iter().filter(|argument| !argument.starts_with('-')).collect();
    let told = arguments.iter().find_map(|argument| argument.strip_prefix("--entities="));
    let told = told.map(|told| {
        told.parse().unwrap_or_else(|error| {
            eprintln!("--entities={told}: {error}; write a whole number, as in --entities=1000000");
            std::process::exit(2);
        })
    });
    let (usual, rounds) = if is_test { (10_000, 2) } else { (1_000_000, ROUNDS) };
    let entities = told.unwrap_or(usual);
    let tables: [(&str, &[Row]); 9] = [
        ("events", &EVENTS),
        ("events, read by all threads", &SHARED),
        ("messages", &MESSAGES),
        ("accumulations", &accumulations::ROWS),
        ("links, added up at their sources", &links::AT_SOURCES),
        ("links, added up at their targets", &links::AT_TARGETS),
        ("links, 1 % changed", &links::RELINKED),
        ("events found by key", &found::BY_KEY),
        ("events found by cell", &found::BY_CELL),
    ];
    for (title, rows) in tables {
        if !titles.is_empty() && !titles.iter().any(|wanted| title.contains(wanted.as_str())) {
            continue;
        }
        println!("| {title} | one thread, ms | two threads, ms | one / two |");
        println!("| --- | ---: | ---: | ---: |");
        measure(rows, entities, rounds);
        println!();
    }
}

/// Measures the contenders one after the other, and prints a line for each.
fn measure(rows: &[Row], entities: u32, rounds: usize) {
    // By round, what the contenders come to.
    let mut sums: Vec<(Option<u64>, Option<f64>)> = vec![(None, None); rounds + WARMING];
    for row in rows {
        let [one, two] = [1, 2].map(|threads| {
            let mut contender = (row.make)(entities, threads);
            let mut times = Vec::new();
            for (ordered, in_any_order) in &mut sums {
                let start = Instant::now();
                contender.step();
                times.push(start.elapsed().as_secs_f64() * 1e3);
                let sum = contender.in_any_order();
                let difference = (sum - *in_any_order.get_or_insert(sum)).abs();
                assert!(difference <= 1e-6 * sum.abs(), "{}", row.name);
                if row.ordered {
                    let sum = contender.sum();
                    assert_eq!(*ordered.get_or_insert(sum), sum, "{}", row.name);
                }
            }
            let times = &mut times[WARMING..];
            times.sort_by(f64::total_cmp);
            times[times.len() / 2]
        });
        println!("| {} | {one:.2} | {two:.2} | {:.2} |", row.name, one / two);
    }
}
