//! The catalogue of errors: every code has its page, its line in the index, and a failing program whose
//! message was reviewed.
//!
//! The failing programs in `ui/front_end` and `ui/compiler` that are named after codes are the first programs
//! of the pages. They are compiled there, and `rustdoc` ignores them. After a change of a page:
//! `UPDATE_PAGES=1 cargo test --test catalogue`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// What begins the wrong program of a page.
const WRONG: &str = "\n```compile_fail,ignore\n";

/// The macro's codes beyond ECS0048: about queries and their indices, effects, commutative resources, events, states, and
/// components that are tracked or expire.
const OF_THE_MACRO: [&str; 22] = [
    "ECS0096", "ECS0097", "ECS0098", "ECS0099", "ECS0100", "ECS0122", "ECS0123", "ECS0124",
    "ECS0132", "ECS0133", "ECS0150", "ECS0151", "ECS0152", "ECS0154", "ECS0144", "ECS0158",
    "ECS0161", "ECS0162", "ECS0168", "ECS0169", "ECS0128", "ECS0129",
];

/// The folder of a page's case. `rustc` finds codes from 49 on, in bounds of traits and in constants, but for those
/// [`OF_THE_MACRO`]. It also finds ECS0026, ECS0044, and errors in a table written by hand.
fn folder(code: &str, page: &str) -> &'static str {
    let late = (code >= "ECS0049" && !OF_THE_MACRO.contains(&code))
        || ["ECS0026", "ECS0044"].contains(&code)
        || page.contains("impl Declaration for");
    if late { "compiler" } else { "front_end" }
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The files of a folder and of all folders below it, in order.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries =
        fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.expect("an entry of the folder").path();
        if path.is_dir() {
            files.extend(self::files(&path, extension));
        } else if path.extension().is_some_and(|found| found == extension) {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// The pages, each as a code and a text.
fn pages() -> Vec<(String, String)> {
    let pages = files(&root().join("docs/errors"), "md").into_iter().map(|path| {
        let code = path.file_stem().expect("a name").to_string_lossy().into_owned();
        (code, read(&path))
    });
    pages.collect()
}

fn title(page: &str) -> &str {
    page.lines()
        .next()
        .and_then(|line| line.strip_prefix("# "))
        .expect("a page begins with a title")
}

/// Every code that occurs in the text, as `[ECS0001]`.
fn codes(text: &str) -> impl Iterator<Item = String> {
    text.match_indices("[ECS0").filter_map(|(at, _)| {
        let code = text.get(at + 1..at + 8)?;
        let closed = text[at + 8..].starts_with(']');
        (closed && code[3..].bytes().all(|byte| byte.is_ascii_digit())).then(|| code.to_owned())
    })
}

#[test]
fn pages_are_alike() {
    for (code, page) in pages() {
        assert!(title(&page).starts_with(&format!("{code}: ")), "{code}: the title");
        assert_eq!(page.matches(WRONG).count(), 1, "{code}: one wrong program");
        assert_eq!(page.matches("\n```rust\n").count(), 1, "{code}: one right program");
    }
}

#[test]
fn the_index_lists_every_page() {
    let index = read(&root().join("docs/errors.md"));
    let listed: Vec<&str> = index.lines().filter(|line| line.starts_with("| [`ECS")).collect();
    let expected: Vec<String> = pages()
        .iter()
        .map(|(code, page)| {
            let about = title(page).split_once(": ").expect("a title has a colon").1;
            format!("| [`{code}`](self::{}) | {about} |", code.to_lowercase())
        })
        .collect();
    assert_eq!(listed, expected);
    let modules = read(&root().join("src/declaration/errors.rs"));
    for (code, _) in pages() {
        let module = format!("    {} \"{code}\";\n", code.to_lowercase());
        assert!(modules.contains(&module), "{code} has no module");
    }
}

#[test]
fn every_code_has_a_page_and_every_page_a_code() {
    let mut found = BTreeSet::new();
    for path in files(&root().join("src"), "rs") {
        found.extend(codes(&read(&path)));
    }
    for path in files(&root().join("../ecs-macros/src/error"), "rs") {
        let faults = read(&path);
        found.extend(faults.split("\"ECS").skip(1).map(|rest| format!("ECS{}", &rest[..4])));
    }
    let pages: BTreeSet<String> = pages().into_iter().map(|(code, _)| code).collect();
    assert_eq!(found, pages);
}

#[test]
fn every_code_has_a_reviewed_message() {
    let mut seen = BTreeSet::new();
    for path in files(&root().join("tests/ui"), "stderr") {
        seen.extend(codes(&read(&path)));
    }
    for (code, _) in pages() {
        assert!(seen.contains(&code), "no expected message has {code}");
    }
}

#[test]
fn no_message_shows_what_is_hidden() {
    for path in files(&root().join("tests/ui"), "stderr") {
        let text = read(&path);
        assert!(!text.contains("::__"), "{} shows what is private:\n{text}", path.display());
        // `rustc` names the macro in which a message originates. It must be a public one.
        for (at, _) in text.match_indices("in the macro `") {
            let rest = &text[at + "in the macro `".len()..];
            let name = rest.split('`').next().unwrap_or_default();
            let last = name.rsplit("::").next().unwrap_or_default();
            // A set's macro has the name of the set. The constants of tuples as bundles are those of a macro, whose call
            // `rustc` shows with them.
            let public = ["world", "set", "declare", "declare_set", "tuple_bundles"]
                .contains(&last)
                || last.starts_with(char::is_uppercase);
            assert!(public, "{} names the macro `{name}`", path.display());
        }
    }
}

/// Traits that no user-defined type is ever required to implement, each with the reason.
const UNASKED: &[(&str, &str)] = &[
    ("Atomics", "the scheduler's tests choose it"),
    ("Counter", "part of `Atomics`"),
    ("Table", "part of `Key`"),
    ("FromKeys", "a part of `Key` that all keys of users have"),
    ("Form", "`world!` names the indices"),
    ("EventForm", "`HasEventIndex` is what is asked for"),
    ("KeysOf", "part of `Form`"),
    ("TakesEntries", "`world!` implements it"),
    ("HasCopies", "part of `CopyTerms`"),
    ("CopyOf", "`CopyComponent` is what one asks for"),
    ("Slot", "part of `Atomics`"),
    ("SystemVisitor", "only the library visits systems"),
    ("Stored", "`StorageStrategy` is what one implements"),
    ("Stageable", "`Bundle` is what is asked for"),
    ("InsertedBy", "`Inserts` is what is asked for"),
    ("UpdatedBy", "`Updates` is what is asked for"),
    ("Overrides", "only `Execution` makes and takes them"),
    ("Targets", "of its parts the one that is missing is asked for"),
    ("Code", "`world!` implements it"),
    ("CodegenUnit", "`world!` names one"),
    ("EverySystem", "`world!` implements it"),
    ("ComponentAt", "`world!` implements it, beside `HasComponent`"),
    ("Handlers", "only `Events` makes them"),
    ("SetSystem", "`set!` implements it"),
    ("SetCondition", "`set!` implements it"),
    ("Test", "`TestOf` is what is asked for"),
    ("SetResource", "`set!` implements it"),
    ("SetIndex", "`set!` implements it"),
    ("SetComponent", "`set!` implements it"),
    ("OtherNumber", "part of `ApartFromRead` and `ApartFromWrite`"),
    ("OtherThan", "part of `ApartFromRead` and `ApartFromWrite`"),
    ("Apart", "`ApartFromRead` and `ApartFromWrite` are asked for"),
    ("AllApart", "`ApartFromRead` and `ApartFromWrite` are asked for"),
    ("Implies", "every type implements it"),
    ("IsType", "every type implements it"),
    ("Combines", "`AddedBy` is what is asked for"),
    ("Queue", "`world!` asks for it, of `EventQueue`"),
    ("CloneTable", "`Cloneable` is what one asks for"),
    ("HashTable", "`Hashable` is what one asks for"),
    ("CloneLines", "its own bounds are asked for"),
    ("NoState", "`States` is what is asked for"),
    ("Expires", "`Countdown` is what is asked for"),
    ("HashLines", "its own bounds are asked for"),
    ("SaveTable", "`Saveable` is what one asks for"),
    ("SaveLines", "its own bounds are asked for"),
    ("IsNotPlain", "every type implements it"),
    ("EventIsNotCopy", "every type of an event implements it"),
    ("HasNoDefault", "every type implements it"),
    ("NotDebug", "every type that is asked implements it"),
    ("NoPart", "every type that is asked implements it"),
    ("IsNotCopy", "every type implements it"),
    ("Family", "`world!` asks for it, of types of the library"),
    ("FamilyBy", "as for `Family`"),
    ("NoFieldBytes", "every type implements it, for `FieldBytes`"),
];

#[test]
fn every_trait_that_a_user_can_trip_over_says_what_to_do() {
    let mut seen = 0;
    let mut silent = Vec::new();
    for path in files(&root().join("src"), "rs") {
        let text = read(&path);
        for (at, _) in text.match_indices("\npub ") {
            let line = text[at + 1..].lines().next().unwrap_or_default();
            let declared = line.trim_start_matches("pub ").trim_start_matches("unsafe ");
            let Some(rest) = declared.strip_prefix("trait ") else { continue };
            let name: String = rest.chars().take_while(|c| c.is_alphanumeric()).collect();
            seen += 1;
            // The trait's attributes: the text from the last blank line on.
            let before = &text[..at];
            let attributes = &before[before.rfind("\n\n").unwrap_or(0)..];
            let says = attributes.contains("#[diagnostic::on_unimplemented(")
                && attributes.contains("message = \"[ECS0");
            if !says && !UNASKED.iter().any(|(unasked, _)| *unasked == name) {
                silent.push(format!("{name} in {}", path.display()));
            }
        }
    }
    assert!(seen > 30, "only {seen} public traits were found");
    assert!(silent.is_empty(), "these traits have no message of ours: {silent:?}");
}

#[test]
fn every_message_of_ours_is_shown_by_a_case() {
    let messages: Vec<String> =
        files(&root().join("tests/ui"), "stderr").iter().map(|path| read(path)).collect();
    let mut missing = Vec::new();
    for path in files(&root().join("src"), "rs") {
        let text = read(&path);
        for attribute in text.split("#[diagnostic::on_unimplemented(").skip(1) {
            let Some(message) = attribute.split('"').nth(1) else { continue };
            // The text between the names that `rustc` fills in.
            let mut parts = message.split(['{', '}']).step_by(2).map(str::trim);
            let head = parts.next().unwrap_or_default().to_owned();
            let rest: Vec<&str> = parts.collect();
            let shown = messages
                .iter()
                .flat_map(|text| text.lines())
                .any(|line| line.contains(&head) && rest.iter().all(|part| line.contains(part)));
            if !shown {
                missing.push(message.to_owned());
            }
        }
    }
    assert!(missing.is_empty(), "no case shows these: {missing:#?}");
}

/// The failing program of a page, as a file.
fn program(page: &str) -> String {
    let block = page.split(WRONG).nth(1).expect("a wrong program");
    let block = block.split("\n```\n").next().expect("`split` yields something");
    let mut program = format!("//! {}.\n\n", title(page));
    for line in block.lines() {
        let hidden = line.strip_prefix("# ").or_else(|| (line == "#").then_some(""));
        program += hidden.unwrap_or(line);
        program.push('\n');
    }
    if !program.contains("fn main()") {
        program += "\nfn main() {}\n";
    }
    program
}

#[test]
fn the_wrong_programs_of_the_pages_are_cases() {
    let update = std::env::var_os("UPDATE_PAGES").is_some();
    for (code, page) in pages() {
        let path = root().join("tests/ui").join(folder(&code, &page)).join(format!("{code}.rs"));
        if update {
            fs::write(&path, program(&page)).expect("a writable case");
            continue;
        }
        assert_eq!(read(&path), program(&page), "{} is not as on its page", path.display());
        let message = read(&path.with_extension("stderr"));
        assert!(message.contains(&format!("[{code}]")), "{} has another code", path.display());
    }
}
