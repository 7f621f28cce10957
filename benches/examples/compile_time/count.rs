//! How much the compiler instantiates, and how much the macro writes.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::at;
use crate::cargo::Cargo;
use crate::package::Package;

/// The counts of one world, by name.
pub(crate) struct Counts {
    /// What is counted, and how much of it there is.
    pub(crate) rows: Vec<(&'static str, f64)>,
    /// How often each function is instantiated: for a system, for a component, and by its name without numbers.
    names: BTreeMap<(Owner, String), usize>,
    package: Package,
}

/// What a function is instantiated for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Owner {
    System,
    Component,
    World,
}

/// The compiler's options are not stable, but the same compiler accepts them with this.
const BOOTSTRAP: [(&str, &str); 2] = [("RUSTC_BOOTSTRAP", "1"), ("CARGO_INCREMENTAL", "0")];

/// Counts what a dev build of the world instantiates.
pub(crate) fn count(cargo: &Cargo<'_>, package: Package) -> Result<Counts, String> {
    cargo.forget("build")?;
    let items = cargo.run(&["rustc", "--quiet", "--", "-Zprint-mono-items=yes"], &BOOTSTRAP)?;
    let items = String::from_utf8_lossy(&items);
    let mut names = BTreeMap::<_, usize>::new();
    for line in items.lines() {
        let Some(item) = line.strip_prefix("MONO_ITEM ") else { continue };
        let name = item.split(" @@ ").next().unwrap_or(item);
        *names.entry(parted(name)).or_default() += 1;
    }
    if names.is_empty() {
        return Err("the compiler has printed no functions: nothing was counted".to_owned());
    }
    let functions = |of| -> f64 {
        names.iter().filter(|((one, _), _)| *one == of).map(|(_, &n)| n as f64).sum()
    };
    let expanded = cargo.run(&["rustc", "--quiet", "--", "-Zunpretty=expanded"], &BOOTSTRAP)?;
    let source = fs::read_to_string(cargo.source()).map_err(at(&cargo.source()))?;
    // From the declaration on, up to `main`, which follows it. The source's lines before it are the expansion's.
    let expanded = String::from_utf8_lossy(&expanded);
    let (Some(start), Some(end)) = (source.find("world! {"), expanded.find("\nfn main()")) else {
        return Err("the program has no declaration before `main`".to_owned());
    };
    let expansion = (end - start) as f64;
    let rows = vec![
        ("functions per system", functions(Owner::System) / package.systems as f64),
        ("functions per component", functions(Owner::Component) / package.components as f64),
        ("functions of the world", functions(Owner::World)),
        ("bytes of expansion per system", expansion / package.systems as f64),
    ];
    Ok(Counts { rows, names, package })
}

impl Counts {
    /// Prints the counts as a table, and with `list` the names.
    pub(crate) fn print(&self, list: bool) {
        println!("| of a dev build | |\n| :--- | ---: |");
        for (name, value) in &self.rows {
            println!("| {name} | {value:.1} |");
        }
        if !list {
            return;
        }
        for (of, what, all) in [
            (Owner::System, "system", self.package.systems),
            (Owner::Component, "component", self.package.components),
        ] {
            println!("\nFunctions per {what}, and how many of each there are:\n");
            for ((one, name), count) in &self.names {
                let rate = *count as f64 / all as f64;
                if *one == of && rate >= 0.05 {
                    println!("{rate:6.2} {name}");
                }
            }
        }
    }
}

/// What the function is instantiated for, and its name without the numbers of systems, components and lines. A function of
/// several components is one of a system: of its query.
fn parted(name: &str) -> (Owner, String) {
    let (mut plain, mut systems, mut components) = (String::new(), false, BTreeSet::new());
    let mut rest = name;
    let mut before = ' ';
    while let Some(first) = rest.chars().next() {
        let digits: String =
            rest[first.len_utf8()..].chars().take_while(char::is_ascii_digit).collect();
        let is_word = before.is_alphanumeric() || before == '_';
        rest = &rest[first.len_utf8()..];
        plain.push(first);
        before = first;
        if digits.is_empty() || is_word || !matches!(first, 'S' | 'C' | ':') {
            continue;
        }
        match first {
            'S' => systems = true,
            'C' => _ = components.insert(digits.clone()),
            // A place in the source.
            _ => plain.push('_'),
        }
        rest = &rest[digits.len()..];
    }
    let of = match (systems, components.len()) {
        (true, _) | (_, 2..) => Owner::System,
        (_, 1) => Owner::Component,
        _ => Owner::World,
    };
    (of, plain)
}
