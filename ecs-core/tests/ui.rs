//! What compiles and what does not, and what the compiler says then.
//!
//! Messages of the front end (`ui/front_end`) are ours word for word. Those of bounds and constants
//! (`ui/compiler`) are worded by `rustc` around our lines, and may change with its version: then look
//! whether ours are still there, and overwrite the rest.
//!
//! After a change of wording: `UPDATE_UI=1 cargo test --test ui`, and review the difference.

mod compile;

use std::fs;
use std::path::Path;

use compile::Expected;
use compile::compiler::Compiler;

fn compiler_in(folder: &str) -> Compiler {
    Compiler::new(folder).with::<ecs_core::Entity>("ecs_core", "ecs_core", "Entity")
}

#[test]
fn front_end() {
    compile::run(&compiler_in("front_end"), &[("tests/ui/front_end", Expected::CheckFails)]);
}

/// The passing cases are run, too. Errors of `const` evaluation show only where programs are built.
#[test]
fn compiler() {
    let folders =
        [("tests/ui/pass", Expected::Passes), ("tests/ui/compiler", Expected::BuildFails)];
    compile::run(&compiler_in("compiler"), &folders);
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
