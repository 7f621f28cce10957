//! The tables, as Markdown.

use crate::cell::Plan;
use crate::chart;
use crate::contenders::{BY_HAND, Contender, LIBRARY};
use crate::measure::{Cell, Compared, Measured};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// Prints the tables and writes them into the target directory.
pub(crate) fn report(contenders: &[Contender], measured: &[Measured], plan: Plan) {
    let text = format!(
        "Least of the medians of {} runs, in microseconds. Rounds count in which others left the cores alone\n\n\
         Idiomatic forms\n\n{}\nBest forms\n\n{}\nAll cells\n\n{}",
        plan.runs,
        compared(measured, Compared::Idiomatic),
        compared(measured, Compared::Best),
        all(measured)
    );
    println!("{text}");
    if !plan.is_test {
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

/// A line for each row: the library, the fastest of the other libraries, the code by hand, and the ratios of the
/// library's time to theirs.
fn compared(measured: &[Measured], compared: Compared) -> String {
    let mut text = String::from(
        "| row | library | best peer | | by hand | library / best peer | library / by hand |\n\
         | --- | ---: | ---: | --- | ---: | ---: | ---: |\n",
    );
    for measured in measured {
        let library = measured.cell(LIBRARY, compared);
        let peer = measured.peer(compared);
        let by_hand = measured.cell(BY_HAND, compared);
        let time =
            |cell: Option<&Cell>| cell.map_or(String::new(), |cell| microseconds(cell.figure()));
        let ratio = |other: Option<&Cell>| match (library, other) {
            (Some(library), Some(other)) => format!("{:.2}", library.figure() / other.figure()),
            _ => String::new(),
        };
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} |",
            measured.row.name,
            time(library),
            time(peer),
            peer.map_or("", |peer| peer.contender),
            time(by_hand),
            ratio(peer),
            ratio(by_hand)
        );
    }
    text
}

/// A line for each cell, with a mark at idiomatic forms.
fn all(measured: &[Measured]) -> String {
    let mut text =
        String::from("| row | contender | form | idiomatic | least | greatest | counted |\n");
    text.push_str("| --- | --- | --- | --- | ---: | ---: | ---: |\n");
    for measured in measured {
        for cell in &measured.cells {
            let (least, greatest) = (microseconds(cell.figure()), microseconds(cell.greatest()));
            let (row, contender, form) = (measured.row.name, cell.contender, cell.form);
            let mark = if cell.is_idiomatic { "yes" } else { "" };
            let counted = 100.0 * cell.share();
            let _ = writeln!(
                text,
                "| {row} | {contender} | {form} | {mark} | {least} | {greatest} | {counted:.0} % |"
            );
        }
    }
    text
}

/// In microseconds, with three significant figures, and at most four decimals.
fn microseconds(nanoseconds: f64) -> String {
    let value = nanoseconds / 1e3;
    let decimals = (2.0 - value.max(1e-3).log10().floor()).clamp(0.0, 4.0) as usize;
    format!("{value:.decimals$}")
}
