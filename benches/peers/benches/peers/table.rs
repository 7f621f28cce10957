//! The tables, as Markdown.

use crate::measure::{BY_HAND, LIBRARY, Measured, Times};
use crate::{Contender, chart};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// Prints the tables and writes them into the target directory.
pub(crate) fn report(contenders: &[Contender], measured: &[Measured], rounds: usize) {
    let text = format!(
        "Median of {rounds} rounds in turns, best form of each, in microseconds\n\n{}\n\
         All forms, in microseconds\n\n{}",
        best(contenders, measured),
        all(measured)
    );
    println!("{text}");
    if rounds > 1 {
        let target = target();
        let (table, picture) = (target.join("peers.md"), target.join("peers.png"));
        fs::write(&table, text).expect("the target directory can be written to");
        chart::write(&picture, contenders, measured).expect("it can be written to");
        println!("written to {} and {}", table.display(), picture.display());
    }
}

/// The target directory.
fn target() -> PathBuf {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
    scratch.parent().expect("it lies in the target directory").to_owned()
}

/// A line for each row: the best form of each contender, and the ratios of the library's time to that of the best peer
/// and to that of the code by hand.
fn best(contenders: &[Contender], measured: &[Measured]) -> String {
    let mut text = String::from("| workload |");
    for (name, _) in contenders {
        let _ = write!(text, " {name} |");
    }
    let _ = writeln!(text, " best peer | library / best peer | library / by hand |");
    let _ = writeln!(text, "| --- |{} --- | ---: | ---: |", " ---: |".repeat(contenders.len()));
    for measured in measured {
        let _ = write!(text, "| {} |", measured.row.name);
        for (name, _) in contenders {
            let _ = match measured.best(name) {
                Some(times) => write!(text, " {} |", microseconds(times.median())),
                None => write!(text, " |"),
            };
        }
        let library = measured.best(LIBRARY);
        let ratio = |other: Option<&Times>| match (library, other) {
            (Some(library), Some(other)) => format!("{:.2}", library.ratio(other)),
            _ => String::new(),
        };
        let peer = measured.best_peer();
        let (name, by_hand) = (peer.map_or("", |peer| peer.contender), measured.best(BY_HAND));
        let _ = writeln!(text, " {name} | {} | {} |", ratio(peer), ratio(by_hand));
    }
    text
}

/// A line for each form.
fn all(measured: &[Measured]) -> String {
    let mut text = String::from("| workload | contender | form | median | least |\n");
    text.push_str("| --- | --- | --- | ---: | ---: |\n");
    for measured in measured {
        for times in &measured.times {
            let (median, least) = (microseconds(times.median()), microseconds(times.least()));
            let (row, contender, form) = (measured.row.name, times.contender, times.form);
            let _ = writeln!(text, "| {row} | {contender} | {form} | {median} | {least} |");
        }
    }
    text
}

/// In microseconds, with three significant figures.
fn microseconds(nanoseconds: f64) -> String {
    let value = nanoseconds / 1e3;
    let decimals = (2.0 - value.max(1e-3).log10().floor()).clamp(0.0, 3.0) as usize;
    format!("{value:.decimals$}")
}
