//! A long run of two equal worlds, on one thread and on eight, with panics, snapshots and restorations.
//!
//! ```text
//! cargo run --release -p attacks --example soak -- MINUTES [SEED]
//! ```
//!
//! After each step both worlds must have the same hash. The mean memory of the last tenth of the run must not exceed
//! that of the second by more than 2 %; the first is warm-up. Each row of the table covers whole waves of the
//! population, so rows are comparable.
//!
//! After a panic the comparison depends on its place. Where all earlier work was finished (a sequential system, a
//! deferred function, the function of an event, a destructor at a refresh, the closure of a step, a clone for a
//! snapshot), the worlds are compared as they are. Where the timing of threads decides how much other code had written
//! (a system in parallel with others, a stream's consumer) or which clones were made (a restoration), both must panic
//! with the same payload, and the worlds are compared after each is restored from a snapshot of its own.
#![forbid(unsafe_code)]

mod churn;
mod faults;
mod memory;
mod pair;

use std::env;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use faults::Fault;
use memory::Memory;
use pair::{Counts, Pair, WAVE};

const USAGE: &str = "usage: soak MINUTES [SEED], such as `soak 0.5` or `soak 30 7`";

/// The number of rows of the table.
const ROWS: u32 = 10;

/// The permitted growth of memory, in per cent.
const LIMIT: f64 = 2.0;

fn main() -> ExitCode {
    let (minutes, seed) = match arguments() {
        Ok(arguments) => arguments,
        Err(error) => {
            eprintln!("{error}\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match soak(Duration::from_secs_f64(minutes * 60.0), seed) {
        Ok(verdict) => {
            println!("{verdict}");
            ExitCode::SUCCESS
        }
        Err(fault) => {
            println!("FAULT: {fault}");
            ExitCode::FAILURE
        }
    }
}

/// The minutes and the seed.
fn arguments() -> Result<(f64, u64), String> {
    let mut arguments = env::args().skip(1);
    let minutes = arguments.next().ok_or("how many minutes?")?;
    let minutes = match minutes.parse::<f64>() {
        Ok(parsed) if parsed > 0.0 && parsed <= 100_000.0 => parsed,
        _ => return Err(format!("`{minutes}` is no number of minutes above 0 and up to 100000")),
    };
    let seed = match arguments.next() {
        Some(seed) => seed.parse().map_err(|_| format!("`{seed}` is no seed: a number from 0"))?,
        None => 1,
    };
    match arguments.next() {
        Some(more) => Err(format!("`{more}` is one argument too many")),
        None => Ok((minutes, seed)),
    }
}

/// Runs for `length`, and prints the table.
fn soak(length: Duration, seed: u64) -> Result<String, String> {
    let start = Instant::now();
    let mut pair = Pair::new(seed);
    println!(
        "seed {seed}; memory: mean of the row's steps in MiB, allocated (live) and resident (RSS)"
    );
    println!(
        "{:>8} {:>9} {:>9} {:>7} {:>9} {:>16} {:>9} {:>8} {:>9} {:>8}",
        "minute",
        "steps",
        "entities",
        "panics",
        "restores",
        "hash",
        "live",
        "change",
        "RSS",
        "change"
    );
    let mut first = None;
    let mut grown = (0.0, 0.0);
    for row in 1..=ROWS {
        let end = length * row / ROWS;
        let mut memory = Memory::default();
        let mut entities = 0;
        let steps = pair.number;
        // The first row has the high waves and as many others.
        let least = if row == 1 { 8 * WAVE } else { WAVE };
        while start.elapsed() < end
            || pair.number < steps + least
            || !pair.number.is_multiple_of(WAVE)
        {
            let number = pair.number;
            pair.step().map_err(|fault| format!("step {number} of the seed {seed}: {fault}"))?;
            memory.sample();
            entities = entities.max(pair.entity_count());
        }
        let base = *if row == 2 { first.insert(memory) } else { first.as_ref().unwrap_or(&memory) };
        let change = |now: f64, base: f64| 100.0 * (now / base - 1.0);
        let live = change(memory.live(), base.live());
        let resident = memory.resident().zip(base.resident());
        let resident_change = resident.map_or(0.0, |(now, base)| change(now, base));
        grown = (live, resident_change);
        let changes = match row {
            1 => ["warm-up".to_owned(), String::new()],
            _ => [live, resident_change].map(|change| format!("{change:+.2} %")),
        };
        println!(
            "{:>8.2} {:>9} {:>9} {:>7} {:>9} {:016x} {:>9.2} {:>8} {:>9} {:>8}",
            start.elapsed().as_secs_f64() / 60.0,
            pair.number,
            entities,
            pair.counts.panics.iter().sum::<u64>(),
            pair.counts.restores,
            pair.hash,
            memory.live(),
            changes[0],
            memory.resident().map_or_else(|| "unknown".to_owned(), |mib| format!("{mib:.2}")),
            changes[1],
        );
    }
    verdict(&pair, grown)
}

/// The result of the run.
fn verdict(pair: &Pair, (live, resident): (f64, f64)) -> Result<String, String> {
    let Counts { panics, snapshots, restores, clones } = pair.counts;
    let by_place: Vec<String> = Fault::ALL
        .iter()
        .zip(panics)
        .map(|(fault, count)| format!("{} {count}", fault.message()))
        .collect();
    println!("panics: {}", by_place.join(", "));
    println!("snapshots: {snapshots}, restorations: {restores}, clones: {clones}, of each world");
    if let Some(fault) = Fault::ALL.iter().find(|fault| panics[**fault as usize] == 0) {
        return Err(format!("nothing has panicked in the place `{}`", fault.message()));
    }
    if live > LIMIT || resident > LIMIT {
        return Err(format!(
            "memory has grown by {live:.2} % (live) and {resident:.2} % (RSS); {LIMIT} % are allowed"
        ));
    }
    Ok(format!(
        "All is well: {} steps with equal hashes; memory has changed by {live:+.2} % (live) and {resident:+.2} % (RSS).",
        pair.number
    ))
}
