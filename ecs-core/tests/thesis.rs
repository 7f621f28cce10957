//! The table of `docs/thesis.md`, from the thesis to the code, is complete, and its files, names and tests
//! exist.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The entry of a row in place of a test if the feature is not built.
const NOT_BUILT: &str = "not built";

/// The sections of parts II and III, from the contents of the thesis. (A chapter's own number is that of its
/// introduction.)
const SECTIONS: &[&str] = &[
    "4.1 4.1.1 4.1.1.1 4.1.2 4.1.2.1 4.1.3 4.1.3.1 4.1.3.2 4.1.4 4.1.4.1 4.1.4.2",
    "5.1 5.1.1 5.1.2 5.1.3 5.1.3.1",
    "6.1 6.2 6.2.1 6.2.2 6.3 6.3.1 6.3.2 6.3.2.1 6.4",
    "7.1 7.1.1 7.1.1.1 7.1.1.2 7.1.2 7.1.3 7.2",
    "8.1 8.2 8.2.1 8.2.1.1 8.2.2 8.2.3 8.2.3.1 8.2.3.2 8.2.3.3",
    "9.1 9.1.1 9.2 9.3 9.3.1 9.3.1.1",
    "10.1 10.1.1 10.2 10.2.1 10.3 10.3.1 10.3.1.1 10.3.1.2 10.4 10.4.1 10.4.1.1",
    "11.1 11.1.1 11.2 11.2.1",
    "12.1 12.1.1 12.2 12.2.1 12.3 12.3.1",
    "13.1 13.2 13.3 13.4",
    "14.1 14.1.1 14.1.1.1 14.1.1.2 14.1.1.3 14.1.1.4 14.2 14.3 14.3.1 14.4",
    "15.1 15.2 15.3 15.3.1 15.3.1.1 15.3.1.2",
    "16.1 16.2 16.2.1 16.2.2 16.3",
];

/// A row may cover several sections: `12.3, 12.3.1 Entity handles`.
struct Row {
    section: String,
    place: String,
    tests: String,
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn rows() -> Vec<Row> {
    let table = read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/thesis.md"));
    let lines = table.lines().filter(|line| line.starts_with('|')).skip(2);
    let row = |line: &str| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [section, place, tests] = cells[..] else { panic!("not three cells: {line}") };
        Row { section: section.to_owned(), place: place.to_owned(), tests: tests.to_owned() }
    };
    lines.map(row).collect()
}

/// The texts between backquotes.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// The first of these folders, below the workspace, in which the path exists.
fn find(folders: &[&str], path: &str) -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace's folder");
    folders.iter().map(|folder| root.join(folder).join(path)).find(|path| path.exists())
}

/// Whether the source has a test of that name that runs by default: a function whose attribute lines include
/// `#[test]` and no `#[ignore]`.
fn has_test(source: &str, name: &str) -> bool {
    let line = |line| str::trim_start(line).trim_start_matches("pub(super) ");
    let lines: Vec<&str> = source.lines().map(line).collect();
    let head = format!("fn {name}(");
    lines.iter().enumerate().filter(|(_, line)| line.starts_with(&head)).any(|(at, _)| {
        let above = lines[..at].iter().rev();
        let is_attribute = |line: &&&str| line.starts_with('#') || line.starts_with("//");
        let above: Vec<&&str> = above.take_while(is_attribute).collect();
        let ignored = above.iter().any(|line| line.starts_with("#[ignore"));
        above.contains(&&"#[test]") && !ignored
    })
}

/// All sources below a folder, put together.
fn sources(folder: &Path) -> String {
    let mut text = String::new();
    for entry in fs::read_dir(folder).expect("a readable folder") {
        let path = entry.expect("a readable entry").path();
        if path.is_dir() {
            text += &sources(&path);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            text += &read(&path);
        }
    }
    text
}

/// Whether the text contains the name as a whole word.
fn has_word(text: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name).any(|(at, _)| {
        !text[..at].ends_with(is_part) && !text[at + name.len()..].starts_with(is_part)
    })
}

fn is_path(word: &str) -> bool {
    word.contains('/') || Path::new(word).extension().is_some_and(|kind| kind == "rs")
}

/// The number of a section as a list, so that it sorts.
fn number(section: &str) -> Vec<u32> {
    section.split('.').map(|part| part.parse().expect("a section's number")).collect()
}

/// The numbers of the sections that a row covers.
fn numbers(row: &Row) -> Vec<Vec<u32>> {
    let words = row.section.split(' ');
    let numbers = words.take_while(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    numbers.map(|word| number(word.trim_end_matches(','))).collect()
}

#[test]
fn every_section_of_parts_two_and_three_is_there_and_they_ascend() {
    let rows: Vec<Vec<Vec<u32>>> = rows().iter().map(numbers).collect();
    assert!(rows.is_sorted_by_key(|row| &row[0]), "{rows:?}");
    assert!(rows.iter().all(|row| row.is_sorted()), "{rows:?}");
    let named: BTreeSet<Vec<u32>> =
        rows.into_iter().flatten().filter(|section| (4..=16).contains(&section[0])).collect();
    let all = SECTIONS.iter().flat_map(|chapter| chapter.split(' ')).map(number).collect();
    assert_eq!(named.symmetric_difference(&all).collect::<Vec<_>>(), [] as [&Vec<u32>; 0]);
}

#[test]
fn every_file_that_the_table_names_exists() {
    for row in rows() {
        for path in quoted(&row.place).filter(|word| is_path(word)) {
            assert!(find(&["ecs-core/src", "."], path).is_some(), "{}: {path}", row.section);
        }
    }
}

#[test]
fn every_name_of_the_code_that_the_table_has_exists() {
    let code = sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    let mut seen = 0;
    for row in rows() {
        for name in quoted(&row.place).filter(|word| !is_path(word)) {
            // An item of another crate is given by a path. The code contains each of its parts, including the
            // dependency's name.
            for part in name.split("::") {
                assert!(has_word(&code, part), "{}: no {name}", row.section);
                seen += 1;
            }
        }
    }
    assert!(seen > 10, "only {seen} names were found");
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
    let source = "fn a() {}\n#[test]\n#[should_panic]\n// why\nfn b() {}\nfn c() {}\n#[test]\npub(super) fn e() {}";
    assert!(has_test(source, "b") && has_test(source, "e"));
    assert!(!has_test(source, "a") && !has_test(source, "c") && !has_test(source, "d"));
    assert!(!has_test("#[test]\n#[ignore = \"slow\"]\nfn e() {}", "e"));
    assert!(has_word("a.on_limit(b)", "on_limit") && !has_word("on_limits", "on_limit"));
}
