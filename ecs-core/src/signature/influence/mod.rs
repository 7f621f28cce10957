//! *Influence*: which components a system can change, and what that means for unordered systems
//! (Core ECS, 4.2: theorem 4.7 and its corollary 4.8).
//!
//! By the corollary, two schedules may run in parallel if they influence different components. For immediate writes,
//! [`check`](super::check()) validates that (E0032). This module validates staged changes. For them a weaker condition
//! is enough: both orders of the two systems must have the same result.
//!
//! | one | the other | |
//! | --- | --- | --- |
//! | `insert: [C]` | `insert: [C]`, `remove: [C]`, `update: [C]` | refused: the later one counts |
//! | `insert: [C]` | writes `C` | refused if a refresh may come between them; else all writes come before all insertions |
//! | `remove: [C]` | `remove: [C]`, `update: [C]`, writes `C` | accepted: in any order `C` is gone |
//! | `update: [C]` | `update: [C]` | accepted: the refresh checks that they update different entities; refused if they are in different phases, as there is a refresh between them, and filters do not prove them disjoint |
//! | `despawn` | anything | accepted: a despawned entity loses everything, whatever else was staged for it |
//! | `spawn` | anything | accepted: no other system has a handle of a spawned entity |
//! | `defer` | `insert`, `remove`, `update`, `defer`, as well as a write if a refresh may come between them | refused: a function may change anything |
//!
//! Otherwise filters exempt no system, because a staged change applies to any entity whose handle the system has. (An
//! update applies to own entities, but an insertion beside it does not.) A write beside an update is a conflict by
//! E0032, because the update reads. What a *sequential* system inserts and removes counts here as written, because it
//! comes before all staged changes; [`at_once`] validates which systems see it.

mod at_once;
#[cfg(test)]
mod tests;

use super::bits::{SystemBits, WORDS, add, has, pop};
use super::check::disjoint;
use super::message::Message;
use super::{MAX_SYSTEMS, Phases, StagedChanges, SystemSignature, Tables};
use crate::component::{IndexSet, MAX_COMPONENTS};

/// Effects of two unordered systems whose order affects the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Conflict {
    /// The system that inserts, or that defers functions if the conflict involves no insertion.
    first: usize,
    second: usize,
    /// The component that the first inserts; `None` if deferred functions conflict.
    component: Option<usize>,
}

/// Fails to evaluate if two unordered systems stage what does not commute.
pub(super) const fn check(tables: Tables<'_>, ancestors: &[SystemBits; MAX_SYSTEMS]) {
    at_once::check(tables, ancestors);
    let refreshes = matches!(tables.staged_changes, StagedChanges::RefreshBeforeDependents);
    if refreshes && let Some([first, second]) = parted_updates(tables.systems, ancestors) {
        Message::new()
            .text("[E0036] the systems `")
            .text(tables.systems[first].name)
            .text("` and `")
            .text(tables.systems[second].name)
            .text("` both update a component, nothing orders them, and a refresh comes between them, so that the later one would see what the other one has done (Core ECS, corollary 4.8)\nhelp: order them")
            .raise();
    }
    let Some(conflict) = first_conflict(tables.systems, ancestors, refreshes) else { return };
    let (first, second) = (&tables.systems[conflict.first], &tables.systems[conflict.second]);
    let message = Message::new()
        .text("[E0036] the systems `")
        .text(first.name)
        .text("` and `")
        .text(second.name)
        .text("` both influence ");
    let message = match conflict.component {
        Some(c) => message
            .text("`")
            .text(tables.components[c].name())
            .text("`, one of them inserts it, and nothing orders them"),
        None => {
            message.text("components, as one of them defers any functions, and nothing orders them")
        }
    };
    message
        .text(" (Core ECS, corollary 4.8)\nhelp: order them: the changes of the later one count")
        .raise();
}

/// The systems that stage changes, or write, if writes matter.
struct Influences {
    /// By component: the systems that conflict with one that inserts the component; deferred functions excepted.
    changes: [SystemBits; MAX_COMPONENTS],
    /// The systems that conflict with one that defers functions.
    any: SystemBits,
}

impl Influences {
    #[expect(clippy::large_stack_arrays, reason = "it runs in the compiler")]
    const fn of(systems: &[SystemSignature], refreshes: bool) -> Self {
        let mut this = Self { changes: [[0; WORDS]; MAX_COMPONENTS], any: [0; WORDS] };
        let mut s = 0;
        while s < systems.len() {
            let system = &systems[s];
            let written: [&[usize]; 2] =
                if refreshes { [system.write, system.write_optional] } else { [&[], &[]] };
            let staged: [&[usize]; 2] = if system.stages() || refreshes {
                [system.insert, system.remove]
            } else {
                [&[], &[]]
            };
            let lists = [staged[0], staged[1], system.update, written[0], written[1]];
            let mut list = 0;
            while list < lists.len() {
                let mut i = 0;
                while i < lists[list].len() {
                    add(&mut this.changes[lists[list][i]], s);
                    add(&mut this.any, s);
                    i += 1;
                }
                list += 1;
            }
            if system.defer {
                add(&mut this.any, s);
            }
            s += 1;
        }
        this
    }
}

/// The first system that stages what does not commute with the effects of an unordered one, if there is one.
/// `refreshes`: whether there may be a refresh between two unordered systems.
const fn first_conflict(
    systems: &[SystemSignature],
    ancestors: &[SystemBits; MAX_SYSTEMS],
    refreshes: bool,
) -> Option<Conflict> {
    let influences = Influences::of(systems, refreshes);
    let mut first = 0;
    while first < systems.len() {
        let insert: &[usize] =
            if systems[first].stages() || refreshes { systems[first].insert } else { &[] };
        let mut i = 0;
        while i < insert.len() {
            let mut candidates = influences.changes[insert[i]];
            if let Some(second) = unordered(&mut candidates, ancestors, first) {
                return Some(Conflict { first, second, component: Some(insert[i]) });
            }
            i += 1;
        }
        if systems[first].defer {
            let mut candidates = influences.any;
            if let Some(second) = unordered(&mut candidates, ancestors, first) {
                return Some(Conflict { first, second, component: None });
            }
        }
        first += 1;
    }
    None
}

/// Two unordered systems that update the same component of entities that filters do not separate, with a refresh
/// between them.
const fn parted_updates(
    systems: &[SystemSignature],
    ancestors: &[SystemBits; MAX_SYSTEMS],
) -> Option<[usize; 2]> {
    let mut updaters = [0; WORDS];
    let mut s = 0;
    while s < systems.len() {
        if !systems[s].update.is_empty() {
            add(&mut updaters, s);
        }
        s += 1;
    }
    let mut firsts = updaters;
    if pop(&mut firsts).is_none() || pop(&mut firsts).is_none() {
        return None;
    }
    let phases = Phases::between_refreshes(systems, ancestors);
    let mut firsts = updaters;
    while let Some(first) = pop(&mut firsts) {
        let updated = IndexSet::of(systems[first].update);
        let mut seconds = firsts;
        while let Some(second) = pop(&mut seconds) {
            if phases.phase(first) != phases.phase(second)
                && !has(&ancestors[first], second)
                && !has(&ancestors[second], first)
                && !updated.is_disjoint(&IndexSet::of(systems[second].update))
                && !disjoint(&systems[first], &systems[second])
            {
                return Some([first, second]);
            }
        }
    }
    None
}

/// The lowest of the candidates that is not ordered with the system.
const fn unordered(
    candidates: &mut SystemBits,
    ancestors: &[SystemBits; MAX_SYSTEMS],
    system: usize,
) -> Option<usize> {
    while let Some(other) = pop(candidates) {
        if other != system && !has(&ancestors[system], other) && !has(&ancestors[other], system) {
            return Some(other);
        }
    }
    None
}

impl SystemSignature {
    /// The components that the system can change of an existing entity: those that it writes, inserts, removes and
    /// updates. The entities that it spawns are left out, because no other system has their handles (Core ECS, 4.2:
    /// infl). A system that despawns or [defers](Self::defer) functions can change all components, which this set does
    /// not show.
    #[must_use]
    pub const fn influence(&self) -> IndexSet {
        let added = self.writable().union(IndexSet::of(self.insert));
        added.union(IndexSet::of(self.remove)).union(IndexSet::of(self.update))
    }
}
