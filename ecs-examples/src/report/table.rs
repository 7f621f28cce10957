//! The table at the end.

use crate::run::RunResult;
use crate::simulation::{Storage, Workload};
use comfy_table::presets::UTF8_FULL_CONDENSED;
use comfy_table::{CellAlignment, Table};
use std::fmt::Write as _;

/// Lays out the results as a table, one row per run. `thesis` holds the thesis's total
/// milliseconds for each of them, where it has such a run. Ratios are to the first row.
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
        "\n{} threads, seed {}; ratios are to the first row",
        config.threads, config.seed
    );
    text
}

/// What stands where there is nothing to say.
const NONE: &str = "–";

fn ratio(value: Option<f64>, base: Option<f64>) -> String {
    match (value, base) {
        (Some(value), Some(base)) if base > 0.0 => format!("{:.2}", value / base),
        _ => NONE.to_owned(),
    }
}

/// A number with a narrow gap between every three digits.
fn grouped(number: u64) -> String {
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
