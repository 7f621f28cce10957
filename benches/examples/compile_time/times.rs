//! The times of the compiler, as a table.

use crate::cargo::{Cargo, Usage};
use crate::package::{Edit, Package};

/// What the compiler used for each command.
pub(crate) type Rows = Vec<(String, Usage)>;

/// Runs the steps that `has` names.
pub(crate) fn measure(
    package: Package,
    cargo: &Cargo<'_>,
    has: impl Fn(&str) -> bool,
) -> Result<Rows, String> {
    let mut rows = Rows::new();
    for (step, command) in [("check", "check"), ("dev", "build"), ("release", "build --release")] {
        if has(step) {
            rows.push((format!("cargo {command}, cold"), cargo.cold(command)?));
        }
    }
    for (step, edit) in
        [("body", Edit::Body), ("declaration", Edit::Declaration), ("component", Edit::Component)]
    {
        for command in ["check", "build"] {
            if has(step) {
                let usage = cargo.after(command, package, edit)?;
                rows.push((format!("cargo {command}, after {}", edit.name()), usage));
            }
        }
    }
    Ok(rows)
}

/// Prints a table of the rows.
pub(crate) fn print(rows: &Rows) {
    if rows.is_empty() {
        return;
    }
    println!("| | CPU, s | peak memory, MB | program, MB |\n| :--- | ---: | ---: | ---: |");
    for (name, usage) in rows {
        let [cpu, peak, program] = cells(usage);
        println!("| {name} | {cpu} | {peak} | {program} |");
    }
}

/// Prints a table of the rows and of those of the same program for `bevy_ecs`.
pub(crate) fn print_beside(rows: &Rows, bevy: &Rows) {
    if rows.is_empty() {
        return;
    }
    println!(
        "| | CPU, s: here | bevy_ecs | here / bevy_ecs | peak memory, MB: here | bevy_ecs | \
         program, MB: here | bevy_ecs |\n\
         | :--- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    );
    for ((name, here), (_, there)) in rows.iter().zip(bevy) {
        let ratio = here.cpu / there.cpu;
        let ([cpu, peak, program], [cpu_there, peak_there, program_there]) =
            (cells(here), cells(there));
        println!(
            "| {name} | {cpu} | {cpu_there} | {ratio:.2} | {peak} | {peak_there} | {program} | {program_there} |"
        );
    }
}

/// CPU time, peak memory and size of the program.
fn cells(usage: &Usage) -> [String; 3] {
    let mega = |bytes: u64| bytes as f64 / 1e6;
    let program = usage.program.map_or_else(String::new, |bytes| format!("{:.1}", mega(bytes)));
    [format!("{:.2}", usage.cpu), format!("{:.0}", mega(usage.peak)), program]
}
