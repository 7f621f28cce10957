//! How long messages are.

use std::fmt;
use std::fs;
use std::path::Path;

use super::compiler;

/// The number of messages, and how many lines they have.
pub(crate) struct Spread {
    pub(crate) messages: usize,
    pub(crate) median: usize,
    pub(crate) largest: usize,
}

impl fmt::Display for Spread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { messages, median, largest } = self;
        write!(f, "{messages} messages, lines: median {median}, largest {largest}")
    }
}

/// The spread of these numbers of lines, if there is one.
pub(crate) fn spread(mut lines: Vec<usize>) -> Option<Spread> {
    lines.sort_unstable();
    let largest = *lines.last()?;
    Some(Spread { messages: lines.len(), median: lines[lines.len() / 2], largest })
}

/// The errors and warnings in what `rustc` says, without its summary.
pub(crate) fn messages(said: &str) -> Vec<String> {
    let mut messages: Vec<String> = Vec::new();
    let mut skips = true;
    for line in said.lines() {
        let is_summary = line.starts_with("error: aborting due to ")
            || line.starts_with("Some errors have detailed explanations: ")
            || line.starts_with("For more information about ")
            || (line.starts_with("warning: ") && line.ends_with(" emitted"));
        if is_summary || line.starts_with("error") || line.starts_with("warning") {
            skips = is_summary;
            if !skips {
                messages.push(String::new());
            }
        }
        if !skips && let Some(message) = messages.last_mut() {
            *message += line;
            message.push('\n');
        }
    }
    for message in &mut messages {
        message.truncate(message.trim_end().len());
    }
    messages
}

/// The numbers of lines of all messages that the folders expect, below the package's folder, and the messages with
/// `longest` lines or more: file, lines, and the first line.
pub(crate) fn expected(
    folders: &[&str],
    longest: usize,
) -> (Vec<usize>, Vec<(String, usize, String)>) {
    let (mut lines, mut long) = (Vec::new(), Vec::new());
    for path in folders.iter().flat_map(|folder| super::programs(folder)) {
        let text = fs::read_to_string(compiler::package().join(path.with_extension("stderr")));
        let name = path.file_stem().map_or(path.as_path(), Path::new).display().to_string();
        for message in messages(&text.expect("a readable expectation")) {
            let count = message.lines().count();
            lines.push(count);
            if count >= longest {
                let first = message.lines().next().unwrap_or_default().to_owned();
                long.push((name.clone(), count, first));
            }
        }
    }
    (lines, long)
}
