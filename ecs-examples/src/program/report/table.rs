//! The table at the end.

use crate::program::run::RunResult;
use crate::simulation::{Storage, Workload};
use comfy_table::presets::UTF8_FULL_CONDENSED;
use comfy_table::{CellAlignment, Table};
use std::fmt::Write as _;

/// Formats the results as a table, one row per run. `thesis` has the thesis's total
/// milliseconds for each run that the thesis has. Ratios are relative to the first row.
pub fn table(results: &[RunResult], thesis: &[Option<f64>]) -> String {
    let Some(first) = results.first() else { return String::new() };
    let (what, rate) = match first.config.workload {
        Workload::Particles => ("discs", "discs/s"),
        Workload::Churn => ("entities", "entities/s"),
    };
    let mut table = Table::new();
    table.load_style(UTF8_FULL_CONDENSED);
    table.set_header([
        what,
        "storage",
        "inner par.",
        "frames",
        "total ms",
        "ms/frame",
        rate,
        "ratio",
        "thesis ms",
        "thesis ratio",
    ]);
    for column in [0, 3, 4, 5, 6, 7, 8, 9] {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let thesis_first = thesis.first().copied().flatten();
    for (result, &thesis) in results.iter().zip(thesis) {
        let config = &result.config;
        table.add_row([
            grouped(config.entities as u64),
            match config.storage {
                Storage::Fixed => "fixed".to_owned(),
                Storage::Dynamic => "dynamic".to_owned(),
            },
            if config.inner_parallelism { "on".to_owned() } else { "off".to_owned() },
            grouped(result.frames),
            format!("{:.1}", result.total_ms()),
            format!("{:.3}", result.ms_per_frame()),
            grouped(result.entities_per_second().round() as u64),
            ratio(Some(result.total_ms()), Some(first.total_ms())),
            thesis.map_or_else(|| NONE.to_owned(), |ms| grouped(ms as u64)),
            ratio(thesis, thesis_first),
        ]);
    }
    let mut text = table.to_string();
    let config = &first.config;
    // Writing to a string cannot fail.
    let _ = write!(
        text,
        "\n{} threads, seed {}; ratios are to the first row\n{rate}: the {what} alive in each frame, added up, per second",
        config.threads, config.seed
    );
    if thesis.iter().any(Option::is_some) {
        text.push_str("\nthesis: its C++ program, with eight workers on an i7-2700K");
    }
    text
}

/// The text of an empty cell.
const NONE: &str = "–";

pub(super) fn ratio(value: Option<f64>, base: Option<f64>) -> String {
    match (value, base) {
        (Some(value), Some(base)) if base > 0.0 => format!("{:.2}", value / base),
        _ => NONE.to_owned(),
    }
}

/// A number with a narrow space between groups of three digits.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulation::RunConfig;
    use std::time::Duration;

    fn result(inner_parallelism: bool, ms: u64) -> RunResult {
        RunResult {
            config: RunConfig {
                workload: Workload::Particles,
                entities: 50_000,
                frames: None,
                storage: Storage::Fixed,
                inner_parallelism,
                threads: 2,
                seed: 1,
            },
            frames: 625,
            total: Duration::from_millis(ms),
            updates: 18_000_000,
            alive: 0,
            contacts: 0,
            contacts_last_frame: 0,
            peak_rss: None,
            state_hash: 0,
        }
    }

    fn cells(line: &str) -> Vec<&str> {
        line.trim_matches('│').split('┆').map(str::trim).collect()
    }

    #[test]
    fn a_row_per_run_with_ratios_to_the_first() {
        let text = table(&[result(false, 2000), result(true, 1000)], &[Some(9249.0), None]);
        let lines: Vec<&str> = text.lines().collect();
        let first = ["50 000", "fixed", "off", "625", "2000.0", "3.200", "9 000 000", "1.00"];
        assert_eq!(cells(lines[3]), [&first[..], &["9 249", "1.00"]].concat());
        let second = ["50 000", "fixed", "on", "625", "1000.0", "1.600", "18 000 000", "0.50"];
        assert_eq!(cells(lines[4]), [&second[..], &["–", "–"]].concat());
    }

    #[test]
    fn digits_are_grouped_by_three() {
        assert_eq!([0, 999, 1000, 12_345_678].map(grouped), ["0", "999", "1 000", "12 345 678"]);
    }
}
