//! The documents are short, have no broken links or paths, and state timings in one place. The README shows the
//! error of its own program.

use std::fs;
use std::path::{Path, PathBuf};

/// The README is for readers who do not know the project.
const README_LINES: usize = 150;
/// The length that can be read in fifteen minutes.
const ARCHITECTURE_WORDS: usize = 3_500;
/// One page.
const RECORD_WORDS: usize = 500;
/// Pictures are part of every clone.
const PICTURE_BYTES: u64 = 200_000;

/// The sections of a decision record, in order.
const PARTS: [&str; 4] = ["## Context", "## Decision", "## Alternatives", "## Consequences"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace's folder")
}

fn read(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The Markdown files directly in a folder, in order, as paths from the root.
fn markdown_in(folder: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join(folder)).expect("the folder exists");
    let paths = entries.map(|entry| entry.expect("a readable entry").path());
    let paths = paths.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    let relative = |path: PathBuf| path.strip_prefix(root()).expect("below the root").to_owned();
    let mut paths: Vec<PathBuf> = paths.map(relative).collect();
    paths.sort();
    paths
}

fn records() -> Vec<PathBuf> {
    let is_record = |path: &PathBuf| !path.ends_with("README.md");
    markdown_in("ecs-core/docs/decisions").into_iter().filter(is_record).collect()
}

/// Every document except the pages of errors. Those are read as rustdoc and have a test of their own.
fn documents() -> Vec<PathBuf> {
    let folders = [".", "benches", "ecs-core", "ecs-core/docs/decisions"];
    let mut all: Vec<PathBuf> = folders.iter().flat_map(|folder| markdown_in(folder)).collect();
    for room in ["output/stream", "refresh", "scheduling/scheduler"] {
        all.push(Path::new("ecs-core/src").join(room).join("README.md"));
    }
    let docs = markdown_in("ecs-core/docs").into_iter();
    all.extend(docs.filter(|path| !path.ends_with("errors.md")));
    all.into_iter().map(|path| path.components().collect()).collect()
}

/// Fails with the list of all offenders, so that one run shows everything.
fn assert_none(rule: &str, offenders: &[String]) {
    assert!(offenders.is_empty(), "{rule}:\n{}", offenders.join("\n"));
}

/// The text between backquotes, outside of code blocks.
fn quoted(text: &str) -> Vec<&str> {
    let prose = text.split("\n```").step_by(2);
    prose.flat_map(|part| part.split('`').skip(1).step_by(2)).collect()
}

#[test]
fn the_readme_is_short() {
    let lines = read("README.md").lines().count();
    assert!(lines <= README_LINES, "{lines} lines");
}

#[test]
fn the_architecture_is_read_in_fifteen_minutes() {
    let words = read("ecs-core/ARCHITECTURE.md").split_whitespace().count();
    assert!(words <= ARCHITECTURE_WORDS, "{words} words");
}

/// The first code block in this language.
fn block<'a>(text: &'a str, language: &str) -> &'a str {
    let start = format!("\n```{language}\n");
    let rest = text.split_once(&start).expect("a block of code").1;
    rest.split_once("```").expect("the end of the block").0
}

/// A line of a message about a program, with its line number reduced by `more`.
fn shifted(line: &str, more: usize) -> String {
    if let Some((_, column)) = line.split_once("readme.rs:") {
        let (number, column) = column.split_once(':').expect("line and column");
        let number: usize = number.parse().expect("a line's number");
        return format!("  --> src/main.rs:{}:{column}", number - more);
    }
    match line.split_once(" |") {
        Some((number, rest)) if number.parse::<usize>().is_ok() => {
            format!("{:<2} |{rest}", number.parse::<usize>().expect("just parsed") - more)
        }
        _ => line.to_owned(),
    }
}

/// `ui.rs` compares the message of the case with the compiler's.
#[test]
fn the_readme_shows_the_error_of_its_own_program() {
    let readme = read("README.md");
    let order = "        dependencies: [Burn],\n";
    let program = block(&readme, "rust");
    assert_eq!(program.matches(order).count(), 1, "{program}");
    let case = read("ecs-core/tests/ui/front_end/readme.rs");
    let (head, without_order) = case.split_once("\n\n").expect("a line of documentation");
    assert_eq!(without_order, program.replace(order, ""));

    let message = read("ecs-core/tests/ui/front_end/readme.stderr");
    let first = message.split("\n\n").next().expect("`split` yields something");
    let above = head.lines().count() + 1;
    let first: Vec<String> = first.lines().map(|line| shifted(line, above)).collect();
    assert_eq!(block(&readme, "text").lines().collect::<Vec<_>>(), first);
}

/// The targets of a document's links.
fn links(text: &str) -> impl Iterator<Item = &str> {
    text.split("](").skip(1).filter_map(|rest| rest.split_once(')').map(|(target, _)| target))
}

/// A heading's anchor, as repository hosts make it.
fn anchor(heading: &str) -> String {
    let allowed = |c: &char| c.is_alphanumeric() || *c == ' ' || *c == '-' || *c == '_';
    let text = heading.trim_start_matches('#').trim().to_lowercase();
    text.chars().filter(allowed).map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[test]
fn every_link_leads_somewhere() {
    let mut broken = Vec::new();
    for document in documents() {
        let text = read(&document);
        let folder = document.parent().expect("a file is in a folder");
        for target in links(&text).filter(|target| !target.starts_with("https://")) {
            let (path, part) = target.split_once('#').unwrap_or((target, ""));
            let path = if path.is_empty() { document.clone() } else { folder.join(path) };
            let has = |wanted: &str| {
                let headings = read(&path);
                headings.lines().any(|line| line.starts_with('#') && anchor(line) == wanted)
            };
            if !root().join(&path).exists() || !(part.is_empty() || has(part)) {
                broken.push(format!("{}: {target}", document.display()));
            }
        }
    }
    assert_none("these links lead nowhere", &broken);
}

#[test]
fn every_path_that_is_named_exists() {
    let folders =
        ["", "ecs-core", "ecs-core/src", "ecs-core/tests"].map(|folder| root().join(folder));
    let mut missing = Vec::new();
    let mut named = 0;
    for document in documents().iter().filter(|path| path.starts_with("ecs-core")) {
        if document.starts_with("ecs-core/src") {
            continue;
        }
        for word in quoted(&read(document)) {
            let is_path =
                word.contains('/') || Path::new(word).extension().is_some_and(|e| e == "rs");
            if !is_path || word.contains(|c: char| " :*{<\n".contains(c)) {
                continue;
            }
            named += 1;
            if !folders.iter().any(|folder| folder.join(word).exists()) {
                missing.push(format!("{}: {word}", document.display()));
            }
        }
    }
    assert!(named > 100, "only {named} paths were found");
    assert_none("these paths do not exist", &missing);
}

#[test]
fn pictures_are_small() {
    let pictures = root().join("ecs-examples/pictures");
    let readme = read("README.md");
    for entry in fs::read_dir(pictures).expect("the folder of pictures") {
        let entry = entry.expect("a readable entry");
        let bytes = entry.metadata().expect("its size").len();
        assert!(bytes < PICTURE_BYTES, "{}: {bytes} bytes", entry.path().display());
        let name = entry.file_name().into_string().expect("the name is text");
        assert!(
            readme.contains(&format!("](ecs-examples/pictures/{name})")),
            "{name} is not shown"
        );
    }
}

/// Whether a line has a number with a unit of time.
fn has_timing(line: &str) -> bool {
    ["ms", "µs", "ns", "milliseconds", "microseconds", "nanoseconds", "seconds"].iter().any(
        |unit| {
            line.match_indices(&format!(" {unit}")).any(|(at, found)| {
                let ends = !line[at + found.len()..].starts_with(|c: char| c.is_alphanumeric());
                ends && line[..at].ends_with(|c: char| c.is_ascii_digit())
            })
        },
    )
}

#[test]
fn timings_are_in_the_benches_and_in_decisions_only() {
    let mut timings = Vec::new();
    for document in documents() {
        // (In the sources, times are limits that the code sets.)
        let folders = ["benches", "ecs-core/docs/decisions", "ecs-core/src"];
        if folders.iter().any(|folder| document.starts_with(folder)) {
            continue;
        }
        let text = read(&document);
        let lines = text.lines().filter(|line| has_timing(line));
        timings.extend(lines.map(|line| format!("{}: {line}", document.display())));
    }
    assert_none("these lines have timings", &timings);
    assert!(has_timing("it takes 1.4 ms") && has_timing("100 µs, then") && !has_timing("2 nsec"));
}

#[test]
fn records_are_numbered_listed_and_short() {
    let index = read("ecs-core/docs/decisions/README.md");
    let listed: Vec<&str> = index.lines().filter(|line| line.starts_with("| [")).collect();
    let (mut expected, mut last) = (Vec::new(), 0);
    for path in records() {
        let text = read(&path);
        let name = path.file_name().expect("a file's name").to_string_lossy();
        // Records of changes that were made side by side have gaps between them.
        let number: u32 = name.split('-').next().and_then(|n| n.parse().ok()).expect("a number");
        assert!(number > last, "{name} is the second number {number}");
        last = number;
        let title = text.lines().next().expect("a title");
        let title = title.strip_prefix(&format!("# {number:04}. ")).expect("number and title");
        expected.push(format!("| [{number:04}]({name}) | {title} |"));
        let date = text.lines().nth(2).expect("a date");
        let says = ["Decided: 2", "Decided and measured: 2"];
        assert!(says.iter().any(|says| date.starts_with(says)), "{name}: {date}");
        let headings: Vec<&str> = text.lines().filter(|line| line.starts_with("## ")).collect();
        assert_eq!(headings, PARTS, "{name}");
        let words = text.split_whitespace().count();
        assert!(words <= RECORD_WORDS, "{name}: {words} words");
    }
    assert!(expected.len() > 30, "{expected:?}");
    assert_eq!(listed, expected);
}

/// The words after each `before` in the text.
fn words_behind<'a>(text: &'a str, before: &str) -> Vec<&'a str> {
    let end = |c: char| c.is_whitespace() || c == '`';
    text.split(before).skip(1).map(|rest| rest.split(end).next().unwrap_or_default()).collect()
}

#[test]
fn every_table_of_figures_has_its_command_and_every_command_its_program() {
    let text = read("benches/README.md");
    for section in text.split("\n## ").skip(1) {
        let title = section.lines().next().expect("a title");
        let has_command = section.contains("cargo bench") || section.contains("cargo run");
        let has_command = has_command || section.contains("`.ci/");
        assert!(has_command || !section.contains("\n| ---"), "{title}: figures without a command");
    }
    // Examples of the library are named, too.
    let packages = ["benches", "benches/peers", "ecs-core", "ecs-macros", "ecs-rollback"];
    let exists = |folder: &str, name: &str| {
        packages.iter().any(|package| {
            let path = root().join(package).join(folder).join(name);
            path.with_extension("rs").exists() || path.join("main.rs").exists()
        })
    };
    let everything: String = documents().iter().map(read).collect();
    let mut commands = 0;
    for (flag, folder) in [("--bench ", "benches"), ("--example ", "examples")] {
        for name in words_behind(&everything, flag).into_iter().filter(|name| *name != "NAME") {
            commands += 1;
            assert!(exists(folder, name), "there is no {flag}{name}");
        }
    }
    for name in words_behind(&everything, "`.ci/") {
        assert!(root().join(".ci").join(name).exists(), "there is no .ci/{name}");
    }
    assert!(commands > 15, "only {commands} commands were found");
}
