//! The project's rules that no other tool checks, for every file of the workspace.

use std::fs;
use std::path::{Path, PathBuf};

/// A file must have fewer lines than this; longer ones are split.
const MAX_LINES: usize = 800;

/// The workspace's files with one of the given extensions, without build outputs and hidden folders.
fn files(extensions: &[&str]) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace's folder");
    let mut files = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a readable folder") {
            let path = entry.expect("a readable entry").path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if path.is_dir() {
                if name != "target" && !name.starts_with('.') {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|e| extensions.iter().any(|x| e == *x)) {
                files.push(path);
            }
        }
    }
    assert!(files.len() > 10, "the walk over {} found next to nothing", root.display());
    files
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Fails with the list of all offenders, so that one run shows everything.
fn assert_none(rule: &str, offenders: &[String]) {
    assert!(offenders.is_empty(), "{rule}:\n{}", offenders.join("\n"));
}

#[test]
fn every_source_file_says_what_it_is_for() {
    let silent: Vec<String> = files(&["rs"])
        .iter()
        .filter(|path| !read(path).starts_with("//! "))
        .map(|path| path.display().to_string())
        .collect();
    assert_none("these files do not start with a `//!` comment", &silent);
}

#[test]
fn source_files_stay_short() {
    let long: Vec<String> = files(&["rs"])
        .iter()
        .map(|path| (path, read(path).lines().count()))
        .filter(|&(_, lines)| lines >= MAX_LINES)
        .map(|(path, lines)| format!("{}: {lines} lines", path.display()))
        .collect();
    assert_none("these files have become too long", &long);
}

#[test]
fn no_file_knows_the_machine_that_it_was_written_on() {
    // The strings are assembled here, so that this file does not contain them.
    let places =
        ["home", "Users", "root", "tmp", "work", "var/tmp"].map(|name| format!("/{name}/"));
    let mut offenders = Vec::new();
    for path in files(&["rs", "md", "toml", "snap", "stderr"]) {
        for (number, line) in read(&path).lines().enumerate() {
            if places.iter().any(|place| is_absolute(line, place)) {
                offenders.push(format!("{}:{}: {line}", path.display(), number + 1));
            }
        }
    }
    assert_none("these lines name a path of some machine", &offenders);
}

/// Whether `line` contains `place` at the beginning of a path, and not inside another path.
fn is_absolute(line: &str, place: &str) -> bool {
    line.match_indices(place).any(|(start, _)| {
        !line[..start].ends_with(|c: char| c.is_alphanumeric() || "._-}])>".contains(c))
    })
}

#[test]
fn every_expected_error_has_its_case() {
    let orphans: Vec<String> = files(&["rs", "stderr"])
        .iter()
        .filter(|path| path.extension().is_some_and(|extension| extension == "stderr"))
        .filter(|path| !path.with_extension("rs").exists())
        .map(|path| path.display().to_string())
        .collect();
    assert_none("these expectations belong to no case", &orphans);
}

#[test]
fn the_files_that_contributors_are_sent_to_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace's folder");
    let text = read(&root.join("CONTRIBUTING.md"));
    let named = named_paths(&text);
    assert!(named.len() > 20, "only {named:?} are named");
    let missing: Vec<String> =
        named.into_iter().filter(|path| !root.join(path).exists()).map(str::to_owned).collect();
    assert_none("CONTRIBUTING.md names these, and they are not there", &missing);
}

/// The paths of the workspace that a document names.
fn named_paths(text: &str) -> Vec<&str> {
    const FOLDERS: [&str; 7] = [
        ".ci/",
        ".github/",
        "benches/",
        "ecs-core/",
        "ecs-examples/",
        "ecs-macros/",
        "ecs-rollback/",
    ];
    text.split(|c: char| c.is_whitespace() || "`()[]".contains(c))
        .map(|word| word.trim_end_matches(['.', ',', ';', ':']))
        .filter(|word| FOLDERS.iter().any(|folder| word.starts_with(folder)))
        .collect()
}

#[test]
fn named_paths_are_found() {
    let text = "See [a](ecs-core/a.md), `.ci/run --now`; in `ecs-macros/src`.\nNot my/ecs-core/b.";
    assert_eq!(named_paths(text), ["ecs-core/a.md", ".ci/run", "ecs-macros/src"]);
}

#[test]
fn absolute_paths_are_told_from_relative_ones() {
    let place = format!("/{}/", "home");
    assert!(is_absolute(&format!("read \"{place}me/file\""), &place));
    assert!(is_absolute(&format!("{place}me"), &place));
    assert!(!is_absolute(&format!("https://example.org{place}page"), &place));
    assert!(!is_absolute("src/homework/mod.rs", &place));
}
