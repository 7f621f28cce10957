//! What compiles and what does not, and what the compiler says then.
//!
//! The passing cases make `trybuild` build instead of check, so that errors of `const` evaluation
//! show in the failing ones. After a change of wording: `TRYBUILD=overwrite cargo test --test ui`,
//! and review the difference.

use std::fs;
use std::path::Path;

#[test]
fn ui() {
    let cases = trybuild::TestCases::new();
    cases.pass("tests/ui/pass/*.rs");
    cases.compile_fail("tests/ui/fail/*.rs");
}

#[test]
fn every_expectation_belongs_to_a_case() {
    let fail = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui/fail");
    for entry in fs::read_dir(&fail).expect("the folder of the failing cases") {
        let path = entry.expect("an entry of the folder").path();
        let other = path.with_extension(if path.extension().is_some_and(|e| e == "rs") {
            "stderr"
        } else {
            "rs"
        });
        assert!(other.exists(), "{} stands alone", path.display());
    }
}
