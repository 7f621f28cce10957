//! *Influence*: which components a system can change, and what follows for systems that nothing orders
//! (Core ECS, 4.2: theorem 4.7 and its corollary 4.8).
//!
//! Two schedules may run side by side if they influence different components, says the corollary. What
//! is written at once is validated by [`check`](super::check()) (E0032); this is about what is staged. There, less
//! is enough: that both orders of the two systems make the same world.
//!
//! | one | the other | |
//! | --- | --- | --- |
//! | `insert: [C]` | `insert: [C]`, `remove: [C]`, `update: [C]` | refused: the later one counts |
//! | `insert: [C]` | writes `C` | refused where a refresh may come between them; else all writes come before all insertions |
//! | `remove: [C]` | `remove: [C]`, `update: [C]`, writes `C` | accepted: in any order `C` is gone |
//! | `update: [C]` | `update: [C]` | accepted: the refresh looks whether they keep to different entities; refused if they are in different phases, as there is a refresh between them, and filters do not tell them apart |
//! | `despawn` | anything | accepted: the dead lose everything, whatever else was staged for them |
//! | `spawn` | anything | accepted: a fresh entity is in nobody else's hands |
//! | `defer` | `insert`, `remove`, `update`, `defer`, as well as a write where a refresh may come between them | refused: a function may change anything |
//!
//! Else filters exempt nobody, as staged changes go by handle: to any entity. (An update goes to own entities,
//! but an insertion beside it does not.) A write beside an update is E0032's business, as that reads. What a
//! *sequential* system inserts and removes counts here as written, as it comes before all that is staged; who
//! sees it is validated by [`at_once`].

mod at_once;
#[cfg(test)]
mod tests;

use super::bits::{SystemBits, WORDS, add, has, pop};
use super::check::disjoint;
use super::message::Message;
use super::{MAX_SYSTEMS, Phases, StagedChanges, SystemSignature, Tables};
use crate::component::{IndexSet, MAX_COMPONENTS};

/// What two systems do that nothing orders, so that the order would show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Conflict {
    /// Who inserts, or who defers functions if no insertion has a part in it.
    first: usize,
    second: usize,
    /// What the first inserts; `None` if it is functions that conflict.
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

/// Who stages what, or writes it where that matters.
struct Influences {
    /// Who has a part in a conflict with whoever inserts the component, but for functions.
    changes: [SystemBits; MAX_COMPONENTS],
    /// Who has a part in a conflict with whoever defers functions.
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

/// The first system that stages what does not commute with what an unordered one does, if there is one.
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

/// Two systems that update the same component, which nothing orders nor tells apart, but a refresh does.
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

/// The lowest of the candidates that nothing orders with the system.
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
    /// The components that the system can change of an entity that is there already: what it writes,
    /// inserts, removes and updates. What it does to entities that it spawns is nobody else's business, and is left
    /// out (Core ECS, 4.2: infl). Who despawns or [defers](Self::defer) functions can change all components,
    /// which this does not say.
    #[must_use]
    pub const fn influence(&self) -> IndexSet {
        let added = self.writable().union(IndexSet::of(self.insert));
        added.union(IndexSet::of(self.remove)).union(IndexSet::of(self.update))
    }
}
