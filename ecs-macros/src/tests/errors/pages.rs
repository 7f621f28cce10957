//! The catalogue's pages (`ecs-core/docs/errors`) for the macro's codes: the wrong program of each page has exactly
//! the fault of that page, and the fixed program has none.

use std::fs;
use std::path::PathBuf;

use super::super::declare;

/// The codes of this crate, in order. The others are those of `ecs-core`'s traits and constants.
fn codes() -> Vec<String> {
    let codes = include_str!("../../error/code.rs").split("\"ECS").skip(1);
    let mut codes: Vec<String> = codes.map(|rest| format!("ECS{}", &rest[..4])).collect();
    codes.sort();
    codes
}

/// The pages of these codes.
fn pages() -> Vec<(String, String)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../ecs-core/docs/errors");
    let mut pages: Vec<(String, String)> = fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| {
            let path = entry.expect("an entry of the folder").path();
            let code = path.file_stem().expect("a name").to_string_lossy().into_owned();
            (code, fs::read_to_string(path).expect("a readable page"))
        })
        .filter(|(code, _)| codes().contains(code))
        .collect();
    pages.sort();
    pages
}

/// The insides of the declarations that a page shows, in order.
fn declarations(page: &str) -> Vec<String> {
    page.split("\nworld! {\n")
        .skip(1)
        .map(|rest| rest.split("\n}\n").next().expect("`split` yields something").to_owned())
        .collect()
}

#[test]
fn every_code_has_a_page() {
    let codes = codes();
    let pages: Vec<String> = pages().into_iter().map(|(code, _)| code).collect();
    for code in &codes {
        assert!(pages.contains(code), "{code} has no page");
    }
    assert!(codes.len() >= 28, "{codes:?}");
}

#[test]
fn the_declarations_of_a_page_do_what_it_says() {
    for (code, page) in pages() {
        // That page has a table written by hand instead of a declaration.
        if code == "ECS0018" {
            continue;
        }
        // The programs about sets have several declarations.
        if ("ECS0040".."ECS0045").contains(&code.as_str()) {
            let wrong = ("compile_fail,ignore", &[code.as_str()][..]);
            for (block, expected) in [wrong, ("rust", &[][..])] {
                let program = page.split(&format!("\n```{block}\n")).nth(1).expect("a program");
                let program = program.split("\n```\n").next().expect("`split` yields something");
                let program = program.replace("\n# ", "\n");
                let outcomes = super::super::sets::program(&program);
                let found = outcomes.iter().flat_map(|outcome| &outcome.found);
                assert_eq!(
                    found.map(|found| found.code).collect::<Vec<_>>(),
                    expected,
                    "{program}"
                );
            }
            continue;
        }
        let [wrong, right] = &declarations(&page)[..] else {
            panic!("{code} shows a wrong declaration and a right one")
        };
        let codes: Vec<&str> = declare(wrong).found.iter().map(|found| found.code).collect();
        assert_eq!(codes, [code.as_str()], "{wrong}");
        assert_eq!(declare(right).faults(), [], "{code}: {right}");
    }
}
