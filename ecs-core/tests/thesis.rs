//! The table "From the thesis to the code" of `ARCHITECTURE.md`: complete, and true.

use std::fs;
use std::path::{Path, PathBuf};

/// What a row says in the place of a test if there is nothing to test yet.
const NOT_BUILT: &str = "not built";

struct Row {
    section: String,
    place: String,
    tests: String,
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn rows() -> Vec<Row> {
    let text = read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("ARCHITECTURE.md"));
    let (_, table) = text.split_once("## From the thesis to the code").expect("the table's title");
    let table = table.split("\n## ").next().expect("there is a first part");
    let lines = table.lines().filter(|line| line.starts_with('|')).skip(2);
    let row = |line: &str| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [section, place, tests] = cells[..] else { panic!("not three cells: {line}") };
        Row { section: section.to_owned(), place: place.to_owned(), tests: tests.to_owned() }
    };
    lines.map(row).collect()
}

/// What stands between backquotes.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// The first of these folders, below the workspace, in which the path exists.
fn find(folders: &[&str], path: &str) -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace's folder");
    folders.iter().map(|folder| root.join(folder).join(path)).find(|path| path.exists())
}

/// Whether the source has a test of that name: a function with `#[test]` among the lines above it.
fn has_test(source: &str, name: &str) -> bool {
    let lines: Vec<&str> = source.lines().map(str::trim_start).collect();
    let head = format!("fn {name}(");
    lines.iter().enumerate().filter(|(_, line)| line.starts_with(&head)).any(|(at, _)| {
        let above = lines[..at].iter().rev();
        let mut above = above.take_while(|line| line.starts_with('#') || line.starts_with("//"));
        above.any(|line| *line == "#[test]")
    })
}

#[test]
fn every_chapter_of_part_two_is_there_and_sections_ascend() {
    let numbers = |row: &Row| -> Vec<u32> {
        let number = row.section.split(' ').next().expect("a first word");
        number.split('.').map(|part| part.parse().expect("a section's number")).collect()
    };
    let sections: Vec<Vec<u32>> = rows().iter().map(numbers).collect();
    assert!(sections.is_sorted(), "{sections:?}");
    for chapter in 4..=14 {
        assert!(sections.iter().any(|section| section[0] == chapter), "chapter {chapter}");
    }
}

#[test]
fn every_file_that_the_table_names_exists() {
    for row in rows() {
        let is_path = |word: &&str| {
            word.contains('/') || Path::new(word).extension().is_some_and(|kind| kind == "rs")
        };
        for path in quoted(&row.place).filter(is_path) {
            assert!(find(&["ecs-core/src", "."], path).is_some(), "{}: {path}", row.section);
        }
    }
}

#[test]
fn every_test_that_the_table_names_exists() {
    for Row { section, place, tests } in rows() {
        if tests == NOT_BUILT {
            assert!(place.is_empty(), "{section} is not built, but lives in {place}");
            continue;
        }
        for group in tests.split("; ") {
            let mut words = quoted(group);
            let file = words.next().unwrap_or_else(|| panic!("{section} has no test"));
            let path = find(&["ecs-core", "."], file);
            let source = read(&path.unwrap_or_else(|| panic!("{section}: there is no {file}")));
            let names: Vec<&str> = words.collect();
            assert!(!names.is_empty(), "{section}: no test in {file}");
            for name in names {
                assert!(has_test(&source, name), "{section}: no test {name} in {file}");
            }
        }
    }
}

#[test]
fn a_test_is_told_from_another_function() {
    let source = "fn a() {}\n#[test]\n#[should_panic]\n// why\nfn b() {}\nfn c() {}";
    assert!(has_test(source, "b"));
    assert!(!has_test(source, "a") && !has_test(source, "c") && !has_test(source, "d"));
}
