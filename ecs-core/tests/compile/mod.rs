//! Compiles small programs by `rustc`, several at a time, and compares what it says with what is expected.
//!
//! The programs are compiled against the very libraries that this test was linked with, so nothing is built
//! for them. After a change of wording: `UPDATE_UI=1 cargo test --test NAME`, and review the difference.
//! `UI_CASES=ECS0032 cargo test --test NAME` compiles only the cases whose paths contain `ECS0032`.

pub(crate) mod compiler;
mod normalise;
pub(crate) mod statistics;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use compiler::{Compiler, Emit};
use normalise::normalise;

/// What is expected of a program.
#[derive(Clone, Copy)]
pub(crate) enum Expected {
    /// `cargo check` reports what the `.stderr` file beside the program says.
    CheckFails,
    /// `cargo build` does.
    BuildFails,
    /// The program is built, and runs without failure.
    Passes,
}

/// A program, by its path below the package's folder.
struct Case {
    path: PathBuf,
    expected: Expected,
}

/// Compiles every program of the folders, which are below the package's folder.
///
/// # Panics
/// If one of them does not do what is expected, after all have been compiled.
pub(crate) fn run(compiler: &Compiler, folders: &[(&str, Expected)]) {
    let chosen = env::var("UI_CASES").unwrap_or_default();
    let mut cases = Vec::new();
    for &(folder, expected) in folders {
        let paths = programs(folder);
        assert!(!paths.is_empty(), "{folder} has no program");
        let paths = paths.into_iter().filter(|path| path.to_string_lossy().contains(&chosen));
        cases.extend(paths.map(|path| Case { path, expected }));
    }
    let next = AtomicUsize::new(0);
    let complaints = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(complaint) = examine(compiler, case) {
                        let complaint = format!("==== {}\n{complaint}", case.path.display());
                        complaints.lock().expect("no thread panics here").push(complaint);
                    }
                }
            });
        }
    });
    let mut complaints = complaints.into_inner().expect("no thread has panicked");
    complaints.sort();
    let (wrong, all) = (complaints.len(), cases.len());
    assert!(wrong == 0, "{wrong} of {all} programs\n\n{}", complaints.join("\n"));
    println!("{all} programs do what is expected of them");
}

/// The programs of a folder.
fn programs(folder: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(compiler::package().join(folder));
    let entries = entries.unwrap_or_else(|error| panic!("{folder}: {error}"));
    let names = entries.map(|entry| entry.expect("an entry of the folder").file_name());
    let mut paths: Vec<PathBuf> = names.map(|name| Path::new(folder).join(name)).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "rs"));
    paths.sort();
    paths
}

/// What became of a program.
struct Built {
    /// The program as a file to run; nothing if there was an error.
    program: Option<PathBuf>,
    stderr: String,
}

/// Compiles a program below the package's folder.
fn build(compiler: &Compiler, path: &Path, emit: Emit) -> Built {
    let name = path.with_extension("").to_string_lossy().replace(['/', '\\', '.', '-'], "_");
    let mut command = compiler.command(path, &name, emit);
    // Types in full, which else go to a file; and no colours.
    command.args(["--verbose", "--diagnostic-width=140", "--color=never"]);
    let output = command.output().expect("`rustc` runs");
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    let program = compiler.scratch().join(name + env::consts::EXE_SUFFIX);
    Built { program: output.status.success().then_some(program), stderr }
}

/// Compiles the program, and says what is not as expected.
fn examine(compiler: &Compiler, case: &Case) -> Result<(), String> {
    let emit =
        if let Expected::CheckFails = case.expected { Emit::Metadata } else { Emit::Program };
    let Built { program, stderr } = build(compiler, &case.path, emit);
    let package = compiler::package().strip_prefix(compiler::workspace()).expect("a folder below");
    let said = normalise(&stderr, package, &case.path);
    match (case.expected, program) {
        (Expected::Passes, Some(program)) => passes(&program),
        (Expected::Passes, None) => Err(format!("does not compile:\n{said}")),
        (_, Some(_)) => Err(format!("compiles, and should not:\n{said}")),
        (_, None) => is_expected(&case.path, &said),
    }
}

/// Runs the program.
fn passes(program: &Path) -> Result<(), String> {
    let run = Command::new(program).output().map_err(|error| error.to_string())?;
    fs::remove_file(program).map_err(|error| error.to_string())?;
    let stderr = String::from_utf8_lossy(&run.stderr);
    if run.status.success() { Ok(()) } else { Err(format!("{}\n{stderr}", run.status)) }
}

/// Holds what was said of a program against the file beside it, or writes the file.
fn is_expected(program: &Path, said: &str) -> Result<(), String> {
    let path = compiler::package().join(program).with_extension("stderr");
    if env::var_os("UPDATE_UI").is_some() {
        return fs::write(&path, said).map_err(|error| error.to_string());
    }
    let expected = fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    if said == expected {
        return Ok(());
    }
    let hint = hint(&expected, said);
    Err(format!("---- expected\n{expected}\n---- said\n{said}\n---- {hint}"))
}

/// The first line that differs.
fn hint(expected: &str, said: &str) -> String {
    let mut pairs = expected.lines().zip(said.lines()).zip(1..);
    match pairs.find(|((expected, said), _)| expected != said) {
        Some(((expected, said), line)) => {
            format!("line {line} differs:\n- {expected}\n+ {said}\n")
        }
        None => "one is longer than the other\n".to_owned(),
    }
}
