//! *Residual conflicts*: a system runs before the staged changes of an earlier one have been applied
//! (*The Essence of Entity Component System*, 4.4).
//!
//! [`ecs_rules::effect`] has the rule for two systems. This module finds the pairs to which it applies, and
//! [`Phases`] separates them.

mod alone;
mod barriers;
mod phases;
mod staging;
#[cfg(test)]
pub(super) mod tests;

pub(crate) use barriers::{Barrier, Full, Held, barriers, groups};
pub(crate) use phases::HasPhases;
pub use phases::Phases;

pub(crate) use ecs_rules::effect::Effect;
use ecs_rules::effect::first_late;

use self::staging::Staging;
use super::ancestors::Ancestors;
use crate::signature::{MAX_SYSTEMS, Message, StagedChanges, SystemSignature, Tables};
use crate::types::IndexSet;

/// Fails to evaluate if the world denies residual conflicts and there is one.
pub(super) const fn check(tables: Tables<'_>, ancestors: &Ancestors) {
    if !matches!(tables.staged_changes, StagedChanges::Deny) {
        return;
    }
    let phases = if Phases::may_refresh(tables) {
        Phases::between_refreshes(tables.systems, tables.staged_changes, ancestors)
    } else {
        Phases::ONE
    };
    let Some((earlier, later)) = first_conflict(tables.systems, &phases, ancestors) else { return };
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
    let (key, word, component) = match late_effect(tables.systems, earlier, later) {
        Some(Effect::Insert(c)) => ("`insert: [", ".insert", Some(c)),
        Some(Effect::Remove(c)) => ("`remove: [", ".remove", Some(c)),
        Some(Effect::Update(c)) => ("`update: [", ".update", Some(c)),
        Some(Effect::Accumulate(c)) => ("`accumulate: [", ".accumulate", Some(c)),
        Some(Effect::Despawn) => ("`despawn`", ".despawn", None),
        Some(Effect::Spawn) => ("`spawn`", ".spawn", None),
        Some(Effect::Defer) | None => ("`defer`", ".defer", None),
    };
    let mut message = message.text(key);
    if let Some(c) = component {
        message = message.text(tables.components[c].name()).text("]`");
    }
    message
        .text("\nhelp: apply it in time: add `sees: [")
        .text(earlier.name)
        .text(word)
        .text("]` to `system ")
        .text(later.name)
        .text("`\nhelp: or apply everything in time: write `staged_changes: refresh_before_dependents` in `world ")
        .text(tables.name)
        .text(" { … }`\nhelp: or let it be seen after the step: `staged_changes: after_step`")
        .raise();
}

/// The first system that runs too early to see what another one has staged: (the staging system, the later one).
/// What a refresh has applied between two of the phases is in time.
#[expect(clippy::large_stack_arrays, reason = "it runs in the compiler")]
const fn first_conflict(
    systems: &[SystemSignature],
    phases: &Phases,
    ancestors: &Ancestors,
) -> Option<(usize, usize)> {
    let staging = Staging::of(systems);
    let mut members = [IndexSet::EMPTY; MAX_SYSTEMS];
    for_each!(s < systems.len(), {
        members[phases.phase(s)].add(s);
    });
    for_each!(later < systems.len(), {
        let mut among = members[phases.phase(later)];
        among.intersect(&ancestors[later]);
        if let Some(earlier) = staging.source(systems, &among, later) {
            return Some((earlier, later));
        }
    });
    None
}

/// What `earlier` changes too late for `later`, which sees it by itself or through its queries, if anything.
pub(crate) const fn late_effect(
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
