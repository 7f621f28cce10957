//! *Residual conflicts*: a system runs before the staged changes of an earlier one have been applied
//! (*The Essence of Entity Component System*, 4.4).
//!
//! An effect can make a difference for these systems:
//!
//! | effect | for systems that |
//! | --- | --- |
//! | `insert: [C]`, `remove: [C]` | name `C` in `read`, `write`, their optional forms, `read_any`, `with` or `without` |
//! | `update: [C]` | read or write `C`, in any list |
//! | `spawn: [B]` | are subscribed to entities with exactly the components of `B`; if these are not known, to any entities |
//! | `despawn` | are subscribed to entities, or have a `read_any` |
//! | `defer` | are any |
//!
//! A *sequential* system changes entities at once, but subscribes no system to them. An entity that is despawned, or
//! loses what a system requires, is gone from the next phase on. Optional terms and `read_any` see a component that is
//! inserted or removed. Only new matches wait for the refresh:
//!
//! | effect at once | comes too late for systems that |
//! | --- | --- |
//! | `insert: [C]` | name `C` in `read`, `write`, `with` or `without` |
//! | `remove: [C]` | name `C` in `without` |
//! | `spawn: [B]` | as above |
//! | `despawn` | none |
//!
//! Filters of the despawning system do not say which entities it despawns: a handle may come from anywhere, such as a
//! component, a resource, an input, the system's own state, a closure that overrides it, or a `static`.

mod alone;
mod phases;
mod staging;
#[cfg(test)]
pub(super) mod tests;

pub(crate) use phases::HasPhases;
pub use phases::Phases;

use self::staging::Staging;
use super::bits::SystemBits;
use super::{MAX_SYSTEMS, Message, StagedChanges, SystemSignature, Tables};
use crate::component::IndexSet;

/// What one system can change for another at the refresh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Effect {
    Insert(usize),
    Remove(usize),
    Update(usize),
    Despawn,
    Spawn,
    Defer,
}

/// Fails to evaluate if the world denies residual conflicts and there is one.
pub(super) const fn check(tables: Tables<'_>, ancestors: &[SystemBits; MAX_SYSTEMS]) {
    if !matches!(tables.staged_changes, StagedChanges::Deny) {
        return;
    }
    let Some((earlier, later)) = first_conflict(tables.systems, ancestors) else { return };
    let (earlier, later) = (&tables.systems[earlier], &tables.systems[later]);
    let message = Message::new()
        .text("[E0035] the system `")
        .text(later.name)
        .text("` runs after `")
        .text(earlier.name)
        .text(if earlier.sequential {
            "`, but before the refresh that subscribes it to whom that one changes: "
        } else {
            "`, but before what that one stages has happened: "
        });
    let message = match effect(tables.systems, earlier, later) {
        Some(Effect::Insert(c)) => {
            message.text("`insert: [").text(tables.components[c].name()).text("]`")
        }
        Some(Effect::Remove(c)) => {
            message.text("`remove: [").text(tables.components[c].name()).text("]`")
        }
        Some(Effect::Update(c)) => {
            message.text("`update: [").text(tables.components[c].name()).text("]`")
        }
        Some(Effect::Despawn) => message.text("`despawn`"),
        Some(Effect::Spawn) => message.text("`spawn`"),
        Some(Effect::Defer) | None => message.text("`defer`"),
    };
    message
        .text("\nhelp: have it happen in time: write `staged_changes: refresh_before_dependents` in `world ")
        .text(tables.name)
        .text(" { … }`\nhelp: or let it be seen after the step: `staged_changes: after_step`")
        .raise();
}

/// The first system that runs too early to see what another one has staged: (the staging system, the later one).
const fn first_conflict(
    systems: &[SystemSignature],
    ancestors: &[SystemBits; MAX_SYSTEMS],
) -> Option<(usize, usize)> {
    let staging = Staging::of(systems);
    let mut later = 0;
    while later < systems.len() {
        if let Some(earlier) = staging.source(systems, &ancestors[later], later) {
            return Some((earlier, later));
        }
        later += 1;
    }
    None
}

/// What `earlier` stages that changes what `later` sees, by itself or through its queries, if anything. It is the
/// rule for one pair.
const fn effect(
    systems: &[SystemSignature],
    earlier: &SystemSignature,
    later: &SystemSignature,
) -> Option<Effect> {
    let mut i = 0;
    while i < later.queries.len() {
        if let Some(effect) = own_effect(earlier, &systems[later.queries[i]]) {
            return Some(effect);
        }
        i += 1;
    }
    own_effect(earlier, later)
}

/// What `earlier` stages that changes what `later` sees of its own entities.
const fn own_effect(earlier: &SystemSignature, later: &SystemSignature) -> Option<Effect> {
    let read = later.readable().union(IndexSet::of(later.read_any));
    let (inserted, removed) = if earlier.sequential {
        (later.required().union(later.excluded()), later.excluded())
    } else {
        (later.named(), later.named())
    };
    let mut i = 0;
    while i < earlier.insert.len() {
        if inserted.contains(earlier.insert[i]) {
            return Some(Effect::Insert(earlier.insert[i]));
        }
        i += 1;
    }
    let mut i = 0;
    while i < earlier.remove.len() {
        if removed.contains(earlier.remove[i]) {
            return Some(Effect::Remove(earlier.remove[i]));
        }
        i += 1;
    }
    let mut i = 0;
    while i < earlier.update.len() {
        if read.contains(earlier.update[i]) {
            return Some(Effect::Update(earlier.update[i]));
        }
        i += 1;
    }
    if earlier.despawn
        && !earlier.sequential
        && (later.has_entities() || !later.read_any.is_empty())
    {
        return Some(Effect::Despawn);
    }
    if earlier.spawn && sees_spawns(earlier, later) {
        return Some(Effect::Spawn);
    }
    if earlier.defer {
        return Some(Effect::Defer);
    }
    None
}

const fn sees_spawns(parent: &SystemSignature, later: &SystemSignature) -> bool {
    if !later.has_entities() {
        return false;
    }
    let Some(bundles) = parent.bundles else { return true };
    let (required, excluded) = (later.required(), later.excluded());
    let mut i = 0;
    while i < bundles.len() {
        let bundle = IndexSet::of(bundles[i]);
        if required.is_subset(&bundle) && excluded.is_disjoint(&bundle) {
            return true;
        }
        i += 1;
    }
    false
}
