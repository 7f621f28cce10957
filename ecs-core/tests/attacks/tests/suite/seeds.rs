//! The random programs with a fixed number of seeds, and with each file of `seeds`.
//!
//! The fuzzer runs the same bodies. Its findings become files of `seeds/TARGET`.

use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use attacks::{arena, declarations, operations, random, saves, settings, snapshots};

/// Runs the program that the bytes encode.
type Body = fn(&[u8]);

/// Runs the body with at most `most` bytes of each seed number. A seed that fails is printed.
fn run(target: &str, seeds: u64, most: usize, body: Body) {
    for seed in 0..seeds {
        let bytes = random::bytes(seed, most);
        let Err(payload) = catch_unwind(AssertUnwindSafe(|| body(&bytes))) else { continue };
        let mut hex = String::new();
        for byte in &bytes {
            write!(hex, "{byte:02x}").expect("a string takes everything");
        }
        eprintln!(
            "the seed {seed} of `{target}` fails. As a file, from the folder of the crate `attacks`:\n\
             echo {hex} | xxd -r -p > seeds/{target}/NAME"
        );
        resume_unwind(payload);
    }
}

/// A lock: programs that count their operations in statics must not run in parallel.
fn turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs the body with the seeds, and asserts that every kind of operation is frequent.
fn run_all(target: &str, seeds: u64, most: usize, body: Body) {
    let _turn = turn();
    let _ = arena::rare(0);
    run(target, seeds, most, body);
    assert_eq!(arena::rare(50), Vec::<String>::new(), "hardly ever happened");
}

#[test]
fn seeds_of_operations() {
    run_all("operations", 700, 600, operations::run);
}

#[test]
fn seeds_of_settings() {
    run_all("settings", 600, 600, settings::run);
}

#[test]
fn seeds_of_snapshots() {
    run_all("snapshots", 600, 1_000, snapshots::run);
    let counts = snapshots::counts();
    assert!(counts.iter().all(|&count| count >= 20), "{counts:?}");
}

#[test]
fn seeds_of_saves() {
    run("saves", 6_000, 17, saves::run);
    let counts = saves::counts();
    assert!(counts.iter().flatten().all(|&count| count >= 5), "{counts:?}");
}

#[test]
fn seeds_of_declarations() {
    run("declarations", 2_000, 200, declarations::run);
    let (accepted, refused) = declarations::counts();
    assert!(accepted >= 500 && refused >= 500, "{accepted}, {refused}");
}

#[test]
fn seeds_in_files() {
    let _turn = turn();
    let bodies: [(&str, Body); 5] = [
        ("operations", operations::run),
        ("settings", settings::run),
        ("snapshots", snapshots::run),
        ("saves", saves::run),
        ("declarations", declarations::run),
    ];
    for (target, body) in bodies {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds").join(target);
        let mut count = 0;
        for file in folder.read_dir().expect("a folder of seeds") {
            let path = file.expect("a file").path();
            let bytes = std::fs::read(&path).expect("a file");
            if let Err(payload) = catch_unwind(AssertUnwindSafe(|| body(&bytes))) {
                eprintln!("{} fails", path.display());
                resume_unwind(payload);
            }
            count += 1;
        }
        assert!(count > 0, "{} has no files", folder.display());
    }
}
