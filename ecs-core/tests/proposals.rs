//! ECST's own two programs, as real programs. `ui/front_end/ecst_*.rs` declares each with the orders that its
//! author gave. `ui/pass/ecst_*.rs` is the same with the line added that each message proposes. The same
//! holds of `two_insertions.rs`, for staged changes. `ui.rs` tests that the first fails with exactly these
//! messages, and that the second compiles.
//!
//! After a change of a program or a message: `UPDATE_PAGES=1 cargo test --test proposals`.

use std::fs;
use std::path::{Path, PathBuf};

fn path(folder: &str, file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui").join(folder).join(file)
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The texts between backquotes.
fn quoted(line: &str) -> Vec<&str> {
    line.split('`').skip(1).step_by(2).collect()
}

/// Adds the line that the help proposes, such as ``order them: add `dependencies: [A]` to `system B` ``.
fn follow(program: &str, help: &str) -> String {
    let [line, system, ..] = quoted(help)[..] else { panic!("nothing to add in {help}") };
    let head = format!("{system} {{ ");
    assert_eq!(program.matches(&head).count(), 1, "{head}");
    let added = line.strip_prefix("dependencies: [").and_then(|rest| rest.strip_suffix(']'));
    let added = added.unwrap_or_else(|| panic!("{line} is no list of dependencies"));
    let list = format!("{head}dependencies: [");
    if program.contains(&list) {
        program.replace(&list, &format!("{list}{added}, "))
    } else {
        program.replace(&head, &format!("{head}{line}, "))
    }
}

/// The systems of each conflict with this code that the compiler reports for the program. `tokens` tokens of
/// the program are part of a conflict: each has an error, and there is no other error.
fn conflicts_once_mended(name: &str, code: &str, tokens: usize) -> Vec<[String; 2]> {
    let messages = read(&path("front_end", &format!("{name}.stderr")));
    let reported = messages.lines().filter(|line| line.contains("are not ordered"));
    let systems = reported.map(|line| {
        assert!(line.starts_with(&format!("error: [{code}] the systems ")), "{line}");
        let [first, second, ..] = quoted(line)[..] else { panic!("no systems in {line}") };
        [first.to_owned(), second.to_owned()]
    });
    let systems: Vec<[String; 2]> = systems.collect();
    assert_eq!(messages.matches(&format!("error: [{code}]")).count(), tokens, "{messages}");
    assert_eq!(messages.matches("error").count(), tokens, "{messages}");

    let helps = messages.lines().map(str::trim_start).filter(|l| l.starts_with("help: order them"));
    let program = read(&path("front_end", &format!("{name}.rs")));
    let mended = helps.fold(program, |program, help| follow(&program, help));
    let expected = path("pass", &format!("{name}.rs"));
    if std::env::var_os("UPDATE_PAGES").is_some() {
        fs::write(&expected, &mended).expect("a writable case");
    }
    assert_eq!(read(&expected), mended, "{} is not what the messages propose", expected.display());
    systems
}

#[test]
fn the_simulation_of_the_thesis_has_two_conflicts() {
    let conflicts = conflicts_once_mended("ecst_simulation", "ECS0032", 4);
    assert_eq!(conflicts, [["Live", "Fade"], ["Fade", "Render"]]);
}

#[test]
fn the_sample_of_the_library_has_one_conflict_over_two_components() {
    assert_eq!(conflicts_once_mended("ecst_sample", "ECS0032", 4), [["Render", "Fade"]]);
    let messages = read(&path("front_end", "ecst_sample.stderr"));
    let over = "`Render` reads and `Fade` writes the component `Color`, and both write the component \
                `Circle`";
    assert!(messages.contains(over), "{messages}");
}

#[test]
fn what_is_staged_has_an_order_for_each_pair_of_which_one_inserts() {
    let conflicts = conflicts_once_mended("two_insertions", "ECS0036", 14);
    let expected = [
        ["Ignite", "Spread"],
        ["Ignite", "Quench"],
        ["Spread", "Quench"],
        ["Ignite", "Smother"],
        ["Spread", "Smother"],
        ["Ignite", "Script"],
        ["Spread", "Script"],
    ];
    assert_eq!(conflicts, expected);
}

/// Compares the program with the case that compiles.
fn compiles(name: &str, mended: &str) {
    let expected = path("pass", &format!("{name}.rs"));
    if std::env::var_os("UPDATE_PAGES").is_some() {
        fs::write(&expected, mended).expect("a writable case");
    }
    assert_eq!(read(&expected), mended, "{} is not what the messages propose", expected.display());
}

#[test]
fn an_index_is_made_after_a_writer_or_before_it() {
    let messages = read(&path("front_end", "unordered_index.stderr"));
    let program = read(&path("front_end", "unordered_index.rs"));
    assert_eq!(messages.matches("error: [ECS0032]").count(), 2, "one cause, at both tokens");
    assert_eq!(messages.matches("error").count(), 2);
    for (help, name) in [
        ("help: order them: add ", "index_after_its_writer"),
        ("help: or the other way round: add ", "index_before_its_writer"),
    ] {
        let help = messages.lines().map(str::trim_start).find(|line| line.starts_with(help));
        compiles(name, &follow(&program, help.expect("the help")));
    }
}

/// Follows ``declare a second query, `query A { .. }`, with the keys of `query B`, and use it in `system C` ``.
fn with_second_query(program: &str, help: &str) -> String {
    let [second, first, user, ..] = quoted(help)[..] else { panic!("nothing to add in {help}") };
    let second = second.strip_suffix(" { .. }").expect("a query");
    let line = program.lines().find(|line| line.trim_start().starts_with(&format!("{first} {{")));
    let line = line.expect("the query, in one line");
    let program = program.replace(line, &format!("{line}\n{}", line.replace(first, second)));
    let (before, after) = program.split_at(program.find(&format!("{user} {{")).expect("the user"));
    let name = |query: &str| format!("queries: [{}", query.trim_start_matches("query "));
    before.to_owned() + &after.replacen(&name(first), &name(second), 1)
}

#[test]
fn an_index_that_would_be_stale_is_made_again() {
    for code in ["ECS0039", "ECS0097"] {
        let messages = read(&path("front_end", &format!("{code}.stderr")));
        let mut lines = messages.lines().map(str::trim_start);
        let help = lines.find(|line| line.starts_with("help: declare a second query"));
        let program = read(&path("front_end", &format!("{code}.rs")));
        let mended = with_second_query(&program, help.expect("the help"));
        compiles(&format!("{}_made_again", code.to_lowercase()), &mended);
    }
}
