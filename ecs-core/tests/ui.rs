//! What compiles and what does not, and what the compiler says then.
//!
//! Messages of the front end (`ui/front_end`) are ours word for word. Those of bounds and constants
//! (`ui/compiler`) are worded by `rustc` around our lines, and may change with its version: then look
//! whether ours are still there, and overwrite the rest.
//!
//! After a change of wording: `TRYBUILD=overwrite cargo test --test ui`, and review the difference.

use std::fs;
use std::path::Path;

#[test]
fn front_end() {
    trybuild::TestCases::new().compile_fail("tests/ui/front_end/*.rs");
}

/// The passing cases make `trybuild` build instead of check, so that errors of `const` evaluation
/// show in the failing ones.
#[test]
fn compiler() {
    let cases = trybuild::TestCases::new();
    cases.pass("tests/ui/pass/*.rs");
    cases.compile_fail("tests/ui/compiler/*.rs");
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
