//! `peers`: the library, other libraries, and the same code by hand, compared in nine workloads.
//!
//! `cargo bench --bench peers` prints tables and draws a chart; both are also written to `peers.md` and `peers.png` in
//! the target directory.
//!
//! - `PEERS=short` takes fewer rounds and one run of each cell.
//! - A word after `--` selects the rows whose names contain it. `CONTENDERS=library,hecs` leaves out the others.
//! - `--test` runs each cell with few entities, and measures nothing worth reading.
//!
//! A cell is a form of a contender in a row. The program runs itself for each, so that a cell has its own heap, threads
//! and branch history, as in a user's program. The worlds of all forms of a row are checked to be equal.

mod cell;
mod chart;
mod contenders;
mod data;
#[expect(unreachable_pub, reason = "a part of the package `benches`, too, where it is public")]
#[path = "../../../src/host.rs"]
mod host;
mod measure;
mod quiet;
mod rows;
mod table;

use cell::Plan;
use rows::Row;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let plan = Plan::of(&arguments);
    let all = Row::all(plan.is_test);
    if let [first, row, contender, form, probe, ..] = arguments.as_slice()
        && first == cell::FLAG
    {
        return cell::run(&all, [row, contender, form, probe], plan);
    }
    let words: Vec<&String> = arguments.iter().filter(|word| !word.starts_with('-')).collect();
    let is_chosen =
        |row: &Row| words.is_empty() || words.iter().any(|&word| row.name.contains(word));
    let rows: Vec<Row> = all.into_iter().filter(is_chosen).collect();
    let contenders = contenders::chosen();
    let measured = host::beside(|| measure::all(&rows, &contenders, plan));
    table::report(&contenders, &measured, plan);
}
