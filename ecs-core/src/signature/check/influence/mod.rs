//! *Influence*: which components a system can change, and what that means for unordered systems
//! (Core ECS, 4.2: theorem 4.7 and its corollary 4.8).
//!
//! [`ecs_rules::influence`] has the rule for two systems. This module finds the pairs to which it applies;
//! [`at_once`] does so for immediate changes of sequential systems.

mod at_once;
#[cfg(test)]
mod tests;

use ecs_rules::{conflict, influence, order};

use super::ancestors::Ancestors;
use super::message::Message;
use crate::signature::check::note;
use crate::signature::{Phases, StagedChanges, SystemSignature, Tables};
use crate::types::{IndexSet, MAX_COMPONENTS};

/// Effects of two unordered systems whose order affects the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Conflict {
    /// The system that inserts or accumulates, or that defers functions if the conflict involves neither.
    first: usize,
    second: usize,
    /// The component that the first inserts or accumulates into; `None` if deferred functions conflict.
    component: Option<usize>,
}

/// Fails to evaluate if two unordered systems stage what does not commute.
pub(super) const fn check(tables: Tables<'_>, ancestors: &Ancestors) {
    at_once::check(tables, ancestors);
    let refreshes = Phases::may_refresh(tables);
    if refreshes
        && let Some([first, second]) =
            parted_updates(tables.systems, tables.staged_changes, ancestors)
    {
        Message::new()
            .text("[ECS0036] the systems `")
            .text(tables.systems[first].name)
            .text("` and `")
            .text(tables.systems[second].name)
            .text("` both update a component, nothing orders them, and a refresh comes between them, so that the later one would see what the other one has done (Core ECS, corollary 4.8)\nhelp: order them")
            .raise();
    }
    let Some(conflict) = first_conflict(tables.systems, ancestors, refreshes) else { return };
    let (first, second) = (&tables.systems[conflict.first], &tables.systems[conflict.second]);
    let message = Message::new()
        .text("[ECS0036] the systems `")
        .text(first.name)
        .text("` and `")
        .text(second.name)
        .text("` both influence ");
    let message = match conflict.component {
        Some(c) => message
            .text("`")
            .text(tables.components[c].name())
            .text("`, one of them inserts it or accumulates into it, and nothing orders them"),
        None => {
            message.text("components, as one of them defers any functions, and nothing orders them")
        }
    };
    message
        .text(" (Core ECS, corollary 4.8)\nhelp: order them: the changes of the later one count")
        .raise();
}

/// The first system that stages what does not commute with the effects of an unordered one, if there is one.
/// `refreshes`: whether there may be a refresh between two unordered systems.
#[expect(clippy::large_stack_arrays, reason = "it runs in the compiler")]
const fn first_conflict(
    systems: &[SystemSignature],
    ancestors: &Ancestors,
    refreshes: bool,
) -> Option<Conflict> {
    // Without an insertion, an accumulation or a deferred function there is none.
    let mut any = false;
    for_each!(s < systems.len(), {
        let system = &systems[s].declared;
        any |= system.defer || !matches!((system.insert, system.accumulate), ([], []));
    });
    if !any {
        return None;
    }
    // By component: the systems that change it, if the change counts; deferred functions excepted, and accumulations, as two
    // of these commute: many systems may accumulate into one component.
    let mut changers = [IndexSet::EMPTY; MAX_COMPONENTS];
    // The systems that change any component, or defer functions.
    let mut changers_of_any = IndexSet::EMPTY;
    for_each!(s < systems.len(), {
        let [update, _, insert, remove, write, optional] =
            influence::changes(&systems[s].declared, refreshes);
        note(&mut changers, &[update, insert, remove, write, optional], s);
        if influence::changes_any(&systems[s].declared, refreshes) {
            changers_of_any.add(s);
        }
    });
    for_each!(first < systems.len(), {
        let system = &systems[first].declared;
        let [_, accumulated, inserted, ..] = influence::changes(system, refreshes);
        let lists = [inserted, accumulated];
        for_each!(list < lists.len(), {
            for_each!(i < lists[list].len(), {
                let component = lists[list][i];
                let mut candidates = changers[component];
                while let Some(second) = unordered(&mut candidates, ancestors, first) {
                    let other = &systems[second].declared;
                    if influence::over_component(system, other, component, refreshes) {
                        return Some(Conflict { first, second, component: Some(component) });
                    }
                }
            });
        });
        if system.defer {
            let mut candidates = changers_of_any;
            while let Some(second) = unordered(&mut candidates, ancestors, first) {
                if influence::over_functions(system, &systems[second].declared, refreshes) {
                    return Some(Conflict { first, second, component: None });
                }
            }
        }
    });
    None
}

/// Two unordered systems that update the same component of entities that filters do not separate, with a refresh
/// between them.
const fn parted_updates(
    systems: &[SystemSignature],
    rule: StagedChanges,
    ancestors: &Ancestors,
) -> Option<[usize; 2]> {
    let mut updaters = IndexSet::EMPTY;
    for_each!(s < systems.len(), {
        if !matches!(systems[s].declared.update, []) {
            updaters.add(s);
        }
    });
    let mut firsts = updaters;
    if firsts.pop().is_none() || firsts.pop().is_none() {
        return None;
    }
    let phases = Phases::between_refreshes(systems, rule, ancestors);
    let mut firsts = updaters;
    while let Some(first) = firsts.pop() {
        let mut seconds = firsts;
        while let Some(second) = unordered(&mut seconds, ancestors, first) {
            let updates =
                conflict::over_updates(&systems[first].declared, &systems[second].declared);
            if updates.is_some() && phases.phase(first) != phases.phase(second) {
                return Some([first, second]);
            }
        }
    }
    None
}

/// Removes candidates up to the lowest one that is not ordered with the system, and returns that one.
const fn unordered(
    candidates: &mut IndexSet,
    ancestors: &Ancestors,
    system: usize,
) -> Option<usize> {
    while let Some(other) = candidates.pop() {
        if other != system && !order::are_ordered(ancestors, system, other) {
            return Some(other);
        }
    }
    None
}
