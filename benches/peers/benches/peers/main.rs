//! `peers`: the library, other libraries, and the same code by hand, compared in nine workloads.
//!
//! - `cargo bench --bench peers`: criterion, a group for each workload.
//! - With `PEERS=table`, or `PEERS=short` for fewer rounds: the table, for which the contenders alternate, and
//!   a chart; both are also written to `peers.md` and `peers.png` in the target directory.
//!
//! A word after `--` selects the workloads whose names contain it. `CONTENDERS=library,hecs` leaves out the
//! others. The results of all contenders are first checked to be equal.

mod bevy;
mod by_hand;
mod chart;
mod data;
mod flecs;
mod freecs;
mod gecs;
mod hecs;
mod library;
mod measure;
mod rows;
mod shipyard;
mod specs;
mod table;

use criterion::{BenchmarkId, Criterion};
use rows::{Form, Row};

/// A library, and its forms of a row: none, if it cannot express the row.
type Contender = (&'static str, fn(Row) -> Vec<Form>);

/// In the order of the table. The library is compared with the others, and with the code by hand.
const CONTENDERS: [Contender; 9] = [
    (measure::LIBRARY, library::forms),
    (measure::BY_HAND, by_hand::forms),
    ("bevy", bevy::forms),
    ("hecs", hecs::forms),
    ("shipyard", shipyard::forms),
    ("specs", specs::forms),
    ("gecs", gecs::forms),
    ("freecs", freecs::forms),
    ("flecs", flecs::forms),
];

/// The contenders that `CONTENDERS` selects.
fn contenders() -> Vec<Contender> {
    let chosen = std::env::var("CONTENDERS").unwrap_or_default();
    let is_chosen = |name: &str| chosen.is_empty() || chosen.split(',').any(|part| part == name);
    CONTENDERS.into_iter().filter(|(name, _)| is_chosen(name)).collect()
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let is_test = arguments.iter().any(|argument| argument == "--test");
    let words: Vec<&String> = arguments.iter().filter(|word| !word.starts_with('-')).collect();
    let is_chosen =
        |row: &Row| words.is_empty() || words.iter().any(|&word| row.name.contains(word));
    let rows: Vec<Row> = Row::all(is_test).into_iter().filter(is_chosen).collect();
    let contenders = contenders();
    let rounds = match std::env::var("PEERS").as_deref() {
        _ if is_test => Some(1),
        Ok("table") => Some(201),
        Ok("short") => Some(21),
        _ => None,
    };
    if let Some(rounds) = rounds {
        let measured: Vec<_> =
            rows.iter().map(|&row| measure::in_turns(row, &contenders, rounds)).collect();
        table::report(&contenders, &measured, rounds);
    } else {
        let mut criterion = Criterion::default().configure_from_args();
        for row in rows {
            group(&mut criterion, row, &contenders);
        }
        criterion.final_summary();
    }
}

/// The figures of criterion for a row.
fn group(criterion: &mut Criterion, row: Row, contenders: &[Contender]) {
    measure::agree(row, &mut measure::forms(row, contenders));
    let mut group = criterion.benchmark_group(row.name);
    group.sample_size(20);
    for (name, forms) in contenders {
        for mut form in forms(row) {
            group.bench_function(BenchmarkId::new(*name, form.name), |b| {
                b.iter_custom(|times| form.contender.run(times.try_into().expect("not that many")));
            });
        }
    }
    group.finish();
}
