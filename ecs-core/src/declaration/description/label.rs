//! The lines that a picture shows for a system.

use ecs_rules::{Flag, Kind, List};

use super::{Spawns, SystemDescription};

/// What the system accesses and does: `read Life`, `write Color`, `despawn`.
pub(super) fn facts(system: &SystemDescription) -> Vec<String> {
    let mut facts = Vec::new();
    if system.is_query() {
        facts.push(if system.is_indexed() { "query with an index" } else { "query" }.to_owned());
    }
    let shown = |list: &&List| list.kind() != Kind::System || **list == List::Queries;
    for list in List::ALL.iter().filter(shown) {
        if !system.list(*list).is_empty() {
            facts.push(format!("{} {}", list.key(), system.list(*list).join(", ")));
        }
    }
    match system.spawns() {
        Spawns::Nothing => {}
        Spawns::Anything => facts.push("spawn".to_owned()),
        Spawns::Bundles(bundles) => {
            let bundles = bundles.iter().map(|bundle| format!("({})", bundle.join(", ")));
            facts.push(format!("spawn {}", bundles.collect::<Vec<_>>().join(", ")));
        }
    }
    let flags = Flag::ALL.iter().filter(|flag| system.has(**flag));
    facts.extend(flags.map(|flag| flag.key().to_owned()));
    if let Some(output) = system.output() {
        facts.push(format!("output {output}"));
    }
    facts
}
