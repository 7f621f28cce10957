//! Many small programs, each checked by one rule: one cause, one error, at the user's token, with a fix that works.
//!
//! A file of `cases/illegal` or `cases/legal` has the programs of one theme. Each begins with a line
//! `// case NAME`, and ends before the next one. Words behind the name say how it is compiled:
//!
//! | word | meaning |
//! | --- | --- |
//! | `edition 2018` | the edition; 2024 by default |
//! | `build` | constants that depend on types are evaluated, too |
//! | `alone` | the program has a crate of its own, with its inner attributes, also where it compiles |
//! | `lib` | the crate is a library |
//! | `renamed` | the crate depends on `ecs-core` under the name `engine` |
//! | `fault REASON` | the program does not do yet what it should, for the reason given |
//!
//! An illegal program marks the line of each error: `//~ ECS0011 Positoin` stands for an error with this code whose
//! first span begins with this token. `//~ E0425 helper: REASON` stands for an error of `rustc` alone, and says why
//! it is enough. An error that only shows a further token of the same fault is marked `//~ also ECS0010 A`. There
//! are no other errors, and no warnings. Lines `//~> TEXT` replace the line before them where the program is mended;
//! without text they remove it. Each message has less than [`LONGEST`] lines, and says what to do: by `help:`, or by
//! what is expected. The mended program compiles.
//!
//! A legal program compiles without warnings, and its `main` runs.
//!
//! Illegal programs are compiled one by one, as an error may hide others. Mended and legal ones are modules of one
//! program per edition, unless they are `alone`.
//!
//! `UI_CASES=names cargo test -p ecs-core --test ui cases -- --nocapture` runs the cases whose names or files contain
//! the word, and shows their messages.

mod check;
mod read;

use std::env;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::compile::compiler::Compiler;
use crate::compile::statistics;

use check::{Checked, Compilers};
use read::Case;

/// A message must have fewer lines than this.
pub(crate) const LONGEST: usize = 60;

/// The number of illegal programs, at least.
const ILLEGAL: usize = 100;
/// The number of legal programs, at least.
const LEGAL: usize = 40;

/// Compilers with folders of their own, as tests run at the same time.
fn compilers(name: &str) -> Compilers {
    let with = |folder: &str, alias: &str| {
        Compiler::new(&format!("{name}_{folder}"))
            .with::<ecs_core::Entity>(alias, "ecs_core", "Entity")
    };
    Compilers { usual: with("cases", "ecs_core"), renamed: with("renamed", "engine") }
}

/// Each illegal program has one error with a fix that works.
pub(crate) fn illegal() {
    let (all, chosen) = chosen("illegal", ILLEGAL);
    let compilers = compilers("illegal");
    let checked = each(&chosen, |case| check::illegal(&compilers, case));
    let mended = check::legal(&compilers, "mended", &chosen, Case::mended);
    report(&chosen, all, checked.iter().chain(&mended));
}

/// Each legal program compiles and runs.
pub(crate) fn legal() {
    let (all, chosen) = chosen("legal", LEGAL);
    let checked = check::legal(&compilers("legal"), "legal", &chosen, Case::text);
    report(&chosen, all, checked.iter());
}

/// The number of all programs of the folder, and the chosen ones.
fn chosen(folder: &str, least: usize) -> (usize, Vec<Case>) {
    let mut cases = read::folder(folder);
    let all = cases.len();
    assert!(all >= least, "there are {all} {folder} programs, and should be {least}");
    let word = env::var("UI_CASES").unwrap_or_default();
    cases.retain(|case| case.path().contains(&word));
    (all, cases)
}

/// Checks the cases, several at a time.
fn each(cases: &[Case], check: impl Fn(&Case) -> Checked + Sync) -> Vec<Checked> {
    let next = AtomicUsize::new(0);
    let checked = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let one = check(case);
                    checked.lock().expect("no thread panics here").push(one);
                }
            });
        }
    });
    checked.into_inner().expect("no thread has panicked")
}

/// Fails if a case is not what it should be, or if a known fault is mended.
fn report<'c>(cases: &[Case], all: usize, checked: impl Iterator<Item = &'c Checked>) {
    let mut checked: Vec<&Checked> = checked.collect();
    checked.sort_by(|one, other| one.path.cmp(&other.path));
    let mut complaints = Vec::new();
    let mut faults = 0;
    for case in cases {
        let own = checked.iter().filter(|checked| checked.path == case.path());
        let own: Vec<&str> =
            own.flat_map(|checked| &checked.complaints).map(String::as_str).collect();
        match (&case.fault, own.is_empty()) {
            (None, true) => {}
            (Some(fault), false) => {
                faults += 1;
                println!("{}: known fault: {fault}", case.path());
            }
            (None, false) => complaints.push(format!("==== {}\n{}", case.path(), own.join("\n"))),
            (Some(fault), true) => complaints.push(format!(
                "==== {}\nThe fault is mended: remove `fault {fault}` behind its name.",
                case.path()
            )),
        }
    }
    if cases.len() < all {
        for Checked { path, lines, .. } in &checked {
            println!("{path}: messages {}, lines {lines:?}", lines.len());
        }
    }
    let lines: Vec<usize> =
        checked.iter().flat_map(|checked| checked.lines.iter().copied()).collect();
    if let Some(spread) = statistics::spread(lines) {
        println!("{} of {all} programs, {faults} with known faults; {spread}", cases.len());
    }
    let wrong = complaints.len();
    assert!(wrong == 0, "{wrong} of {} programs\n\n{}", cases.len(), complaints.join("\n"));
}
