//! The table, as Markdown.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::chart;
use crate::measure::Measured;

/// Prints the table, and writes it and the picture into the target directory.
pub(crate) fn report(measured: &[Measured], frames: u32, rounds: u32, is_test: bool) {
    let mut text = format!("Milliseconds; {frames} frames in each of {rounds} processes\n\n");
    text.push_str(
        "| row | contender | p50 | p95 | p99 | max | p50 / library | p99 / library | waited |\n",
    );
    text.push_str("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n");
    for Measured { row, times } in measured {
        let library = times.iter().find(|times| times.contender == "library");
        for times in times {
            let note = if times.differs { ", another state" } else { "" };
            let _ = write!(text, "| {} | {}{note} |", row.name(), times.contender);
            for part in [0.5, 0.95, 0.99, 1.0] {
                let _ = write!(text, " {:.3} |", times.percentile(part));
            }
            for part in [0.5, 0.99] {
                let ratio = |base: f64| format!("{:.2}", times.percentile(part) / base);
                let ratio = library.map(|library| ratio(library.percentile(part)));
                let _ = write!(text, " {} |", ratio.unwrap_or_default());
            }
            let share = times.waited / (times.waited + times.frames.iter().sum::<f64>());
            let _ = writeln!(text, " {:.0} % |", share * 100.0);
        }
    }
    println!("{text}");
    if !is_test && !measured.is_empty() {
        let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let target = scratch.parent().expect("it lies in the target directory");
        let (table, picture) = (target.join("frame.md"), target.join("frame.png"));
        fs::write(&table, text).expect("the target directory can be written to");
        chart::write(&picture, measured).expect("it can be written to");
        println!("written to {} and {}", table.display(), picture.display());
    }
}
