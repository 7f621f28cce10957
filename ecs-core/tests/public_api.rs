//! The public API as one list, `public_api.txt`, so that each change of it shows in the difference of a commit; and
//! that each public type has an example.
//!
//! Both are read from what a nightly rustdoc writes as JSON. The format of that changes, so the test runs with the
//! compiler [`PINNED`], and says so where another nightly or none is installed.
//!
//! After a change of the API: `UPDATE_API=1 cargo test -p ecs-core --test public_api`, and review the difference.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use serde_json::Value;

/// The nightly compiler whose JSON the test reads.
const PINNED: &str = "rustc 1.97.0-nightly (e50aa6fba 2026-05-19)";

/// The file with the list.
const LIST: &str = "tests/public_api.txt";

/// What rustdoc says of the crate; `None` if the pinned compiler is not installed.
fn json() -> Option<&'static Path> {
    static JSON: OnceLock<Option<PathBuf>> = OnceLock::new();
    JSON.get_or_init(|| {
        let version =
            Command::new("rustup").args(["run", "nightly", "rustc", "--version"]).output();
        let version =
            version.ok().map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
        if version.as_deref().map(str::trim) != Some(PINNED) {
            writeln!(io::stderr(), "tests/public_api.rs: LEFT OUT: it needs the nightly {PINNED}")
                .expect("a standard error to write to");
            return None;
        }
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("public_api");
        let status = Command::new("rustup")
            .args([
                "run",
                "nightly",
                "cargo",
                "rustdoc",
                "--quiet",
                "--lib",
                "--all-features",
                "--package",
                "ecs-core",
                "--target-dir",
            ])
            .arg(&target)
            .args(["--", "-Zunstable-options", "--output-format=json", "--cap-lints=allow"])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .env_remove("RUSTFLAGS")
            .env_remove("RUSTDOCFLAGS")
            .status()
            .expect("rustup runs");
        assert!(status.success(), "rustdoc fails");
        Some(target.join("doc/ecs_core.json"))
    })
    .as_deref()
}

#[test]
fn the_list_is_that_of_the_crate() {
    let Some(json) = json() else { return };
    let api = public_api::Builder::from_rustdoc_json(json)
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .omit_auto_derived_impls(true)
        .build()
        .expect("the pinned compiler writes the format of `public-api`");
    // The pages of errors have a test of their own, `catalogue.rs`.
    let list: String = api
        .items()
        .map(ToString::to_string)
        .filter(|item| !item.starts_with("pub mod ecs_core::errors::"))
        .flat_map(|item| [item, "\n".to_owned()])
        .collect();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(LIST);
    if env::var_os("UPDATE_API").is_some() {
        fs::write(&path, &list).expect("the list can be written");
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    let gone = expected.lines().filter(|line| !list.lines().any(|other| other == *line));
    let new = list.lines().filter(|line| !expected.lines().any(|other| other == *line));
    let changes: Vec<String> =
        gone.map(|line| format!("- {line}")).chain(new.map(|line| format!("+ {line}"))).collect();
    assert!(
        changes.is_empty() && list == expected,
        "the public API has changed; after a review: UPDATE_API=1 cargo test -p ecs-core --test \
         public_api\n{}",
        changes.join("\n")
    );
}

/// What needs no example of its own, since the documentation of its module has one for all.
const BY_MODULE: &[&str] = &["access"];

/// The public types and traits that can be named, by path: what the modules contain, and what they export.
fn types<'j>(
    index: &'j Value,
    module: &'j Value,
    path: &str,
    found: &mut BTreeMap<String, &'j Value>,
) {
    for id in module["inner"]["module"]["items"].as_array().into_iter().flatten() {
        let item = &index[id.to_string()];
        let Some((kind, inner)) = item["inner"].as_object().and_then(|inner| inner.iter().next())
        else {
            continue;
        };
        // What an import of one item exports, and under which name.
        let exported = &index[inner["id"].to_string()];
        let (kind, item, name) = match exported["inner"].as_object().and_then(|of| of.keys().next())
        {
            Some(of) if kind == "use" => (of, exported, &inner["name"]),
            _ => (kind, item, &item["name"]),
        };
        let here = format!("{path}{}", name.as_str().unwrap_or_default());
        match kind.as_str() {
            "module" if inner["is_glob"] == true => types(index, item, path, found),
            "module" => types(index, item, &format!("{here}::"), found),
            "struct" | "enum" | "trait" | "type_alias" => {
                found.insert(here, item);
            }
            _ => {}
        }
    }
}

/// Whether the documentation of the item, or of one of its methods, has an example.
fn has_example(index: &Value, item: &Value) -> bool {
    let shown = |item: &Value| item["docs"].as_str().is_some_and(|docs| docs.contains("```"));
    let of = |id: &Value| &index[id.to_string()];
    let inner = item["inner"].as_object().and_then(|inner| inner.values().next()).expect("a kind");
    let own = inner["items"].as_array().into_iter().flatten();
    let methods = inner["impls"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|id| &of(id)["inner"]["impl"])
        .filter(|block| block["trait"].is_null())
        .flat_map(|block| block["items"].as_array().into_iter().flatten());
    shown(item) || own.chain(methods).any(|id| shown(of(id)))
}

#[test]
fn every_type_has_an_example() {
    let Some(json) = json() else { return };
    let text = fs::read_to_string(json).expect("rustdoc has written it");
    let json: Value = serde_json::from_str(&text).expect("it is JSON");
    let index = &json["index"];
    let mut found = BTreeMap::new();
    types(index, &index[json["root"].to_string()], "", &mut found);
    assert!(found.len() > 100, "only {} public types were found", found.len());
    let has_one = |path: &str, item| {
        has_example(index, item) || BY_MODULE.iter().any(|module| path.starts_with(module))
    };
    let without = found.iter().filter(|(path, item)| !has_one(path, item));
    let without: Vec<&str> = without.map(|(path, _)| path.as_str()).collect();
    assert!(without.is_empty(), "{} without an example:\n{}", without.len(), without.join("\n"));
}
