//! What `rustc` says, without what differs from place to place: paths, the lines of files other than the
//! program, and the width of the column of line numbers, which depends on them.

use std::path::Path;

/// The text without what differs from place to place. Paths become relative to `package`; `program` is the one
/// below it of which lines are kept.
pub(super) fn normalise(text: &str, package: &Path, program: &Path) -> String {
    let package = format!("{}/", package.display());
    let program = program.to_string_lossy();
    let mut lines: Vec<String> = Vec::new();
    let mut is_elsewhere = false;
    for line in text.lines().map(str::trim_end) {
        let is_summary = ["error: aborting due to ", "Some errors have detailed explanations: "]
            .iter()
            .any(|begin| line.starts_with(begin))
            || line.starts_with("For more information about ")
            || (line.starts_with("warning: ") && line.ends_with(" emitted"));
        if is_summary {
            continue;
        }
        // Closures have no other name than their place.
        let mut line = line.replace(&format!("closure@{package}"), "closure@$DIR/");
        if let Some(at) = place(&line) {
            let path = relative(&line[at..], &package);
            is_elsewhere = !path.starts_with(&*program);
            let path = if is_elsewhere { without_numbers(&path) } else { &path };
            line.replace_range(at.., path);
        } else if is_elsewhere
            && line.trim_start().starts_with(|c: char| c.is_ascii_digit() || "|.".contains(c))
        {
            let numbers = line.len()
                - line.trim_start_matches(|c: char| c == ' ' || c.is_ascii_digit()).len();
            line.replace_range(..numbers, &" ".repeat(numbers));
        } else {
            is_elsewhere = false;
        }
        if !(line.is_empty() && lines.last().is_none_or(String::is_empty)) {
            lines.push(line);
        }
    }
    let mut text = narrowed(&shortened(&lines)).join("\n");
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

/// Where the path begins if the line says in which file something is.
fn place(line: &str) -> Option<usize> {
    let text = line.trim_start();
    let is_place = text.starts_with("--> ") || text.starts_with("::: ");
    is_place.then(|| line.len() - text.len() + 4)
}

/// A path in the package, or in the standard library's sources, wherever these are.
fn relative(path: &str, package: &str) -> String {
    if let Some(path) = path.strip_prefix(package) {
        return path.to_owned();
    }
    match path.split_once("/library/") {
        Some((root, path))
            if root.starts_with("/rustc/") || root.ends_with("/rustlib/src/rust") =>
        {
            format!("$RUST/{path}")
        }
        _ => path.to_owned(),
    }
}

/// The path without line and column.
fn without_numbers(path: &str) -> &str {
    let number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let mut path = path;
    while let Some((rest, last)) = path.rsplit_once(':')
        && number(last)
    {
        path = rest;
    }
    path
}

/// The lines with at most eight of the types that implement a trait, as `rustc` has it where it is not verbose.
fn shortened(lines: &[String]) -> Vec<String> {
    const SHOWN: usize = 8;
    let mut shortened = Vec::new();
    let mut rest = lines.iter().peekable();
    while let Some(line) = rest.next() {
        shortened.push(line.clone());
        let begins = line.contains("= help: the following ") && line.contains("implement trait ");
        if !begins {
            continue;
        }
        let mut types = Vec::new();
        while let Some(line) = rest.next_if(|line| columns(line) >= 12) {
            types.push(line);
        }
        let all = types.len();
        // An odd one more is shown, as a line that counts it would be as long.
        let shown = if all > SHOWN + 1 { SHOWN } else { all };
        shortened.extend(types[..shown].iter().map(|&line| line.clone()));
        if shown < all {
            shortened.push(format!("{}and $N others", " ".repeat(columns(types[0]) - 2)));
        }
    }
    shortened
}

/// How many blanks the line begins with.
fn columns(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// The lines with the column of numbers as wide as the numbers need that are left in it.
fn narrowed(lines: &[String]) -> Vec<String> {
    let mut narrowed = Vec::new();
    let mut rest = lines;
    while let [line, others @ ..] = rest {
        narrowed.push(line.clone());
        rest = others;
        let is_title = ["error", "warning", "note: "].iter().any(|begin| line.starts_with(begin));
        if !is_title || others.first().is_none_or(|line| place(line).is_none()) {
            continue;
        }
        let ends = |line: &String| {
            line.is_empty() || line.starts_with("error") || line.starts_with("warning")
        };
        let (block, others) = others.split_at(others.iter().position(ends).unwrap_or(others.len()));
        rest = others;
        let surplus = block.iter().filter_map(|line| margin(line)).min().unwrap_or(0);
        narrowed.extend(block.iter().map(|line| {
            if margin(line).is_some() || columns(line) > 10 {
                let at = line.find(' ').expect("a margin");
                format!("{}{}", &line[..at], &line[at + surplus..])
            } else {
                line.clone()
            }
        }));
    }
    narrowed
}

/// How many blanks too many there are between the number and what it is the number of, if the line has such a
/// column.
fn margin(line: &str) -> Option<usize> {
    let number = line.trim_start_matches(' ');
    let text = number.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = number.len() - text.len();
    let sign = text.trim_start_matches(' ');
    let blanks = line.len() - digits - sign.len();
    let is =
        |signs: &[&str]| signs.iter().any(|&s| sign == s || sign.starts_with(&format!("{s} ")));
    let has_column = is(&["|"])
        || (digits == 0 && is(&["-->", ":::", "="]))
        || (digits > 0 && is(&["~", "+", "-"]));
    if line.starts_with("... ") {
        return Some(columns(&line[3..]));
    }
    (has_column && blanks > 0).then(|| blanks - 1)
}
