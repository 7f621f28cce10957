//! Runs the examples, all in one program, and checks their form: a summary, the command that runs the
//! example, and a length that can be read in a few minutes.
#![expect(unreachable_pub, reason = "`main` is public for the tests of this file")]

use std::collections::BTreeSet;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

/// Includes each example as a module, and calls its `main` in a test of the same name.
macro_rules! examples {
    ($($name:ident: $file:literal;)*) => {
        $(
            #[path = $file]
            mod $name;
        )*

        /// The files that are run, as paths from this folder.
        const LISTED: &[&str] = &[$($file),*];

        mod run {
            $(
                #[test]
                fn $name() -> Result<(), Box<dyn super::Error>> {
                    super::$name::main()
                }
            )*
        }
    };
}

examples! {
    hello: "../examples/01_hello.rs";
    spawn_and_despawn: "../examples/02_spawn_and_despawn.rs";
    resources: "../examples/03_resources.rs";
    order: "../examples/04_order.rs";
    parallel: "../examples/05_parallel.rs";
    queries: "../examples/06_queries.rs";
    outputs: "../examples/07_outputs.rs";
    pairs: "../examples/08_pairs.rs";
    insert_and_remove: "../examples/09_insert_and_remove.rs";
    deferred_functions: "../examples/10_deferred_functions.rs";
    sequential: "../examples/11_sequential.rs";
    streams: "../examples/12_streams.rs";
    refresh_events: "../examples/13_refresh_events.rs";
    storages: "../examples/14_storages.rs";
    settings: "../examples/15_settings.rs";
    sets: "../examples/16_sets.rs";
    overrides: "../examples/17_overrides.rs";
    snapshots: "../examples/18_snapshots.rs";
    determinism: "../examples/19_determinism.rs";
    events: "../examples/24_events.rs";
    time: "../examples/20_time.rs";
    random: "../examples/21_random.rs";
    templates: "../examples/22_templates.rs";
    conditions: "../examples/23_conditions.rs";
    states: "../examples/25_states.rs";
    relations: "../examples/27_relations.rs";
    barriers: "../examples/30_barriers.rs";
    many_to_many: "../examples/31_many_to_many.rs";
    pending_entity: "../examples/26_pending_entity.rs";
    conflicts: "../examples/28_conflicts.rs";
    accumulate: "../examples/29_accumulate.rs";
    by_name: "../examples/32_by_name.rs";
    rumor: "../examples/33_rumor.rs";
    expires: "../examples/34_expires.rs";
    desync: "../examples/35_desync.rs";
    saves: "../examples/36_saves.rs";
    prefabs: "../examples/37_prefabs.rs";
}

/// The number of lines of an example.
const LINES: std::ops::RangeInclusive<usize> = 20..=80;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples")
}

/// The names of the files in the folder of examples.
fn present() -> BTreeSet<String> {
    let entries = fs::read_dir(folder()).expect("the folder of examples");
    let names = entries.map(|entry| entry.expect("a readable entry").file_name());
    names.map(|name| name.into_string().expect("a name in Unicode")).collect()
}

/// The faults in the form of the example `name`; empty if there are none.
fn faults(name: &str, text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let mut expect = |holds: bool, fault: String| {
        if !holds {
            faults.push(format!("{name}: {fault}"));
        }
    };
    let command = format!("//! Run it: `cargo run -p ecs-core --example {name}`\n");
    let lines = text.lines().count();
    expect(text.starts_with("//! "), "does not begin with what it shows".into());
    expect(text.contains(&command), format!("lacks the line {command:?}"));
    expect(LINES.contains(&lines), format!("has {lines} lines, not {LINES:?}"));
    expect(text.contains("println!("), "prints nothing".into());
    expect(text.contains("assert"), "asserts nothing".into());
    faults
}

#[test]
fn every_example_is_run() {
    let listed = LISTED.iter().filter_map(|file| Path::new(file).file_name()?.to_str());
    let listed: BTreeSet<String> = listed.map(str::to_owned).collect();
    assert_eq!(listed, present(), "the list in this file, and the files in `examples`");
}

#[test]
fn every_example_has_the_form_of_one() {
    let mut found = Vec::new();
    for file in present() {
        let text = fs::read_to_string(folder().join(&file)).expect("a readable example");
        found.extend(faults(file.trim_end_matches(".rs"), &text));
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn faults_of_form_are_found() {
    let right = format!(
        "//! Shows a thing.\n//!\n//! Run it: `cargo run -p ecs-core --example it`\n{}\
         println!(\"1\");\nassert_eq!(1, 1);\n",
        "\n".repeat(20)
    );
    assert_eq!(faults("it", &right), Vec::<String>::new());
    for (part, without) in [
        ("//! Shows", "// Shows"),
        ("--example it", "--example other"),
        (&*"\n".repeat(20), "\n"),
        ("println!", "print!"),
        ("assert_eq!", "drop!"),
    ] {
        assert_eq!(faults("it", &right.replacen(part, without, 1)).len(), 1, "without {part:?}");
    }
    assert_eq!(faults("it", &format!("{right}{}", "\n".repeat(80))).len(), 1, "too long");
}
