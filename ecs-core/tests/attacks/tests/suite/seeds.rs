//! The random programs with a fixed number of seeds.

use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;

use attacks::{operations, random};

/// Runs the body with the bytes of each seed. A seed that fails is named.
fn run(target: &str, seeds: u64, most: usize, body: fn(&[u8])) {
    for seed in 0..seeds {
        let bytes = random::bytes(seed, most);
        let Err(payload) = catch_unwind(AssertUnwindSafe(|| body(&bytes))) else { continue };
        let mut hex = String::new();
        for byte in &bytes {
            write!(hex, "{byte:02x}").expect("a string takes everything");
        }
        eprintln!(
            "the seed {seed} of `{target}` fails. As a file, from the folder of the crate:\n\
             echo {hex} | xxd -r -p > seeds/{target}/NAME"
        );
        resume_unwind(payload);
    }
}

/// Runs the body with each file of `seeds/TARGET`.
fn run_files(target: &str, body: fn(&[u8])) {
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
    assert!(count > 0, "{} is empty", folder.display());
}

#[test]
fn operations() {
    run("operations", 700, 600, operations::run);
    assert_eq!(operations::rare(500), Vec::<String>::new(), "hardly ever happened");
}
