//! *Residual conflicts*: a system runs before the staged changes of an earlier one have been applied
//! (*The Essence of Entity Component System*, 4.4).
//!
//! [`ecs_rules::effect`] has the rule for two systems. This module finds the pairs to which it applies, and
//! [`Phases`] separates them.

mod alone;
mod phases;
mod staging;
#[cfg(test)]
pub(super) mod tests;

pub(crate) use phases::HasPhases;
pub use phases::Phases;

use ecs_rules::effect::{Effect, first_late};

use self::staging::Staging;
use super::ancestors::Ancestors;
use super::{Message, StagedChanges, SystemSignature, Tables};

/// Fails to evaluate if the world denies residual conflicts and there is one.
pub(super) const fn check(tables: Tables<'_>, ancestors: &Ancestors) {
    if !matches!(tables.staged_changes, StagedChanges::Deny) {
        return;
    }
    let Some((earlier, later)) = first_conflict(tables.systems, ancestors) else { return };
    let (earlier, later) = (&tables.systems[earlier], &tables.systems[later]);
    let message = Message::new()
        .text("[ECS0035] the system `")
        .text(later.name)
        .text("` runs after `")
        .text(earlier.name)
        .text(if earlier.declared.sequential {
            "`, but before the refresh that subscribes it to the changed entities: "
        } else {
            "`, but before the staged changes of that system are applied: "
        });
    let (key, component) = match effect(tables.systems, earlier, later) {
        Some(Effect::Insert(c)) => ("`insert: [", Some(c)),
        Some(Effect::Remove(c)) => ("`remove: [", Some(c)),
        Some(Effect::Update(c)) => ("`update: [", Some(c)),
        Some(Effect::Despawn) => ("`despawn`", None),
        Some(Effect::Spawn) => ("`spawn`", None),
        Some(Effect::Defer) | None => ("`defer`", None),
    };
    let mut message = message.text(key);
    if let Some(c) = component {
        message = message.text(tables.components[c].name()).text("]`");
    }
    message
        .text("\nhelp: apply it in time: write `staged_changes: refresh_before_dependents` in `world ")
        .text(tables.name)
        .text(" { … }`\nhelp: or let it be seen after the step: `staged_changes: after_step`")
        .raise();
}

/// The first system that runs too early to see what another one has staged: (the staging system, the later one).
const fn first_conflict(
    systems: &[SystemSignature],
    ancestors: &Ancestors,
) -> Option<(usize, usize)> {
    let staging = Staging::of(systems);
    for_each!(later < systems.len(), {
        if let Some(earlier) = staging.source(systems, &ancestors[later], later) {
            return Some((earlier, later));
        }
    });
    None
}

/// What `earlier` changes too late for `later`, which sees it by itself or through its queries, if anything.
const fn effect(
    systems: &[SystemSignature],
    earlier: &SystemSignature,
    later: &SystemSignature,
) -> Option<Effect> {
    let queries = later.declared.queries;
    for_each!(i < queries.len(), {
        let query = &systems[queries[i]].declared;
        if let Some(effect) = first_late(&earlier.declared, query) {
            return Some(effect);
        }
    });
    first_late(&earlier.declared, &later.declared)
}
