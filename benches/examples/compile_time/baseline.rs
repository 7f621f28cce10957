//! Counts that are kept in a file, so that their growth is seen.

use std::fmt::Write as _;

use crate::count::Counts;

/// The largest growth that passes, in per cent.
const LIMIT: f64 = 5.0;
/// The largest decrease that passes. With a larger one, something is no longer counted.
const DECREASE: f64 = 50.0;

/// The counts as lines `value name`.
pub(crate) fn write(counts: &Counts) -> String {
    counts.rows.iter().fold(String::new(), |mut text, (name, value)| {
        let _ = writeln!(text, "{value:10.1} {name}");
        text
    })
}

/// Fails if a count has grown by more than the limit, has lost more than half, or is in one of the two only.
pub(crate) fn compare(counts: &Counts, file: &str) -> Result<(), String> {
    let mut failures = String::new();
    for (name, value) in &counts.rows {
        let line = file.lines().map(str::trim).find(|line| line.ends_with(name));
        let kept = line.and_then(|line| line.split(' ').next()?.parse::<f64>().ok());
        let Some(kept) = kept else {
            let _ = writeln!(failures, "{name}: not in the baseline");
            continue;
        };
        let growth = (value / kept - 1.0) * 100.0;
        if !growth.is_finite() || growth < -DECREASE {
            let _ = writeln!(failures, "{name}: {kept:.1} before, {value:.1} now: is all counted?");
        } else if growth > LIMIT {
            let _ = writeln!(failures, "{name}: {kept:.1} before, {value:.1} now ({growth:+.1} %)");
        } else if growth < -LIMIT {
            println!("{name}: {growth:+.1} %; renew the baseline to keep it so");
        }
    }
    let counted = |line: &&str| counts.rows.iter().any(|(name, _)| line.trim().ends_with(name));
    for line in file.lines().filter(|line| !counted(line)) {
        let _ = writeln!(failures, "{}: in the baseline, and not counted", line.trim());
    }
    if failures.is_empty() { Ok(()) } else { Err(failures) }
}
