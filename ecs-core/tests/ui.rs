//! What compiles and what does not, and the compiler's messages.
//!
//! Messages of the front end (`ui/front_end`) are this library's, word for word. `rustc` words those of
//! bounds and constants (`ui/compiler`) around this library's lines, and they may change with its version:
//! then check that these lines are still there, and overwrite the rest.
//!
//! So the cases are run by the compiler that the expectations are written for, [`PINNED`]. With another
//! compiler they are skipped, and the test says so. This includes `ui/front_end`, since `rustc` marks some
//! tokens differently (1.97 marks both characters of `-3` in `numbers.rs`), and `ui/pass`, since its programs
//! deny warnings, of which a newer compiler has more.
//!
//! After a change of wording: `UPDATE_UI=1 cargo test --test ui`, and review the difference.

mod cases;
mod compile;

use std::env;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process::Command;

use compile::Expected;
use compile::compiler::Compiler;
use compile::statistics;

/// The version of the compiler whose messages are expected.
const PINNED: &str = "1.95";

fn compiler_in(folder: &str) -> Compiler {
    Compiler::new(folder).with::<ecs_core::Entity>("ecs_core", "ecs_core", "Entity")
}

#[test]
fn front_end() {
    if !is_left_out("tests/ui/front_end") {
        compile::run(&compiler_in("front_end"), &[("tests/ui/front_end", Expected::CheckFails)]);
    }
}

/// The passing cases are also run. Errors of `const` evaluation show only where programs are built.
#[test]
fn compiler() {
    if is_left_out("tests/ui/compiler and tests/ui/pass") {
        return;
    }
    let folders =
        [("tests/ui/pass", Expected::Passes), ("tests/ui/compiler", Expected::BuildFails)];
    compile::run(&compiler_in("compiler"), &folders);
}

/// Small programs of many kinds, by `cases/mod.rs`.
#[test]
fn cases_illegal() {
    if !is_left_out("tests/cases/illegal") {
        cases::illegal();
    }
}

#[test]
fn cases_legal() {
    if !is_left_out("tests/cases/legal") {
        cases::legal();
    }
}

/// The messages of 60 lines and more, by case: of each, why it is so long.
const LONG: [(&str, &str); 0] = [];

/// How long the messages are that the folders of this test expect. It prints them:
/// `cargo test -p ecs-core --test ui statistics -- --nocapture`.
#[test]
fn statistics() {
    let mut long = Vec::new();
    for folder in ["tests/ui/front_end", "tests/ui/compiler"] {
        let (lines, of_60) = statistics::expected(&[folder], cases::LONGEST);
        println!("{folder}: {}", statistics::spread(lines).expect("messages"));
        long.extend(of_60);
    }
    let (lines, _) = statistics::expected(&["tests/ui/front_end", "tests/ui/compiler"], 0);
    println!("both: {}", statistics::spread(lines).expect("messages"));
    for (case, lines, message) in &long {
        println!("{case}: {lines} lines: {message}");
    }
    let mut cases: Vec<&str> = long.iter().map(|(case, ..)| case.as_str()).collect();
    cases.dedup();
    assert_eq!(cases, LONG.map(|(case, _)| case), "a message has {} lines or more", cases::LONGEST);
}

/// Whether the cases of `folders` are for another compiler. If so, reports it directly to standard error, so
/// that it shows for passing tests too: `eprintln` would be captured.
fn is_left_out(folders: &str) -> bool {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc).arg("--version").output().expect("rustc runs");
    let reason = reason_to_leave_out(&String::from_utf8_lossy(&version.stdout));
    if let Some(reason) = &reason {
        writeln!(io::stderr(), "{folders}: LEFT OUT: {reason}")
            .expect("a standard error to write to");
    }
    reason.is_some()
}

/// The reason why the cases are for another compiler, given the output of `--version`; `None` if they are for
/// this one.
fn reason_to_leave_out(version: &str) -> Option<String> {
    let number = version.split_whitespace().nth(1).unwrap_or("of unknown version");
    // Betas and nightly builds have a suffix after the last number: `1.95.0-nightly`.
    let patch = number.strip_prefix(PINNED).and_then(|rest| rest.strip_prefix('.'));
    let is_pinned = patch.is_some_and(|patch| patch.parse::<u32>().is_ok());
    (!is_pinned).then(|| {
        format!(
            "the expected messages are those of rustc {PINNED}, and this is rustc {number}; \
             `cargo +{PINNED} test -p ecs-core --test ui` runs them"
        )
    })
}

#[test]
fn cases_are_run_by_the_pinned_compiler_alone() {
    for pinned in ["rustc 1.95.0 (59807616e 2026-04-14)\n", "rustc 1.95.1"] {
        assert_eq!(reason_to_leave_out(pinned), None, "{pinned}");
    }
    for other in [
        "rustc 1.96.0 (0123456789 2026-05-28)",
        "rustc 1.94.1 (0123456789 2026-03-28)",
        "rustc 1.95.0-beta.3 (0123456789 2026-03-28)",
        "rustc 1.95.0-nightly (0123456789 2026-02-02)",
        "rustc 1.950.0",
        "rustc 11.95.0",
        "rustc",
        "",
    ] {
        let reason = reason_to_leave_out(other).unwrap_or_else(|| panic!("{other} runs them"));
        let number = other.split(' ').nth(1).unwrap_or("of unknown version");
        assert!(reason.contains(&format!("this is rustc {number};")), "{other}: {reason}");
    }
}

/// The minimum compiler of the manifests and the compiler of the workflow are the pinned one.
#[test]
fn the_pinned_compiler_is_that_of_the_workspace() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace's folder");
    for (file, line) in [
        ("Cargo.toml", format!("rust-version = \"{PINNED}\"")),
        (".github/workflows/ci.yml", format!("PINNED: \"{PINNED}\"")),
    ] {
        let text = fs::read_to_string(root.join(file)).unwrap_or_else(|e| panic!("{file}: {e}"));
        assert!(text.lines().any(|found| found.trim() == line), "{file} lacks the line `{line}`");
    }
}

#[test]
fn every_expectation_belongs_to_a_case() {
    for folder in ["tests/ui/front_end", "tests/ui/compiler"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        for entry in fs::read_dir(&folder).expect("the folder of the failing cases") {
            let path = entry.expect("an entry of the folder").path();
            let other = path.with_extension(if path.extension().is_some_and(|e| e == "rs") {
                "stderr"
            } else {
                "rs"
            });
            assert!(other.exists(), "{} stands alone", path.display());
        }
    }
}
