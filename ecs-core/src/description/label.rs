//! The lines that a picture shows for a system.

use super::{List, Spawns, SystemDescription};

/// What the system accesses and does: `read Life`, `write Color`, `despawn`.
pub(super) fn facts(system: &SystemDescription) -> Vec<String> {
    let mut facts = Vec::new();
    if system.is_query() {
        facts.push(if system.is_indexed() { "query with an index" } else { "query" }.to_owned());
    }
    for list in List::ALL {
        if !system.list(list).is_empty() {
            facts.push(format!("{} {}", list.key(), system.list(list).join(", ")));
        }
    }
    if !system.queries().is_empty() {
        facts.push(format!("queries {}", system.queries().join(", ")));
    }
    match system.spawns() {
        Spawns::Nothing => {}
        Spawns::Anything => facts.push("spawn".to_owned()),
        Spawns::Bundles(bundles) => {
            let bundles = bundles.iter().map(|bundle| format!("({})", bundle.join(", ")));
            facts.push(format!("spawn {}", bundles.collect::<Vec<_>>().join(", ")));
        }
    }
    let flags = [
        ("despawn", system.despawns()),
        ("defer", system.defers()),
        ("exclusive", system.is_exclusive()),
        ("sequential", system.is_sequential()),
        ("slice_dependent", system.is_slice_dependent()),
        ("opt_in", system.is_opt_in()),
        ("unordered", system.is_unordered()),
    ];
    facts.extend(flags.iter().filter(|(_, set)| *set).map(|&(flag, _)| flag.to_owned()));
    if let Some(output) = system.output() {
        facts.push(format!("output {output}"));
    }
    facts
}
