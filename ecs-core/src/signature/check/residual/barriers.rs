//! *Barriers*: the refreshes between two phases of an execution, and which systems go on over them.
//!
//! A refresh waits for all systems of the phase before it, as it may move rows and change every subscription. One that only
//! applies changes of components of existing entities does neither. It changes the columns of these components and the
//! subscriptions of systems that name them, and nothing else. Systems that touch none of this, and stage nothing, may go on
//! meanwhile, and beside the systems of the next phase.

use ecs_rules::System;

use super::Phases;
use crate::signature::tables::states::is_conditional;
use crate::signature::tables::{removed, tracking};
use crate::signature::{MergeOrder, SystemSignature, Tables};
use crate::types::IndexSet;

/// A refresh between two phases.
#[derive(Clone, Debug)]
pub(crate) struct Barrier {
    /// The phase that it comes before.
    pub(crate) phase: usize,
    /// The systems whose staged work it applies, in the order in which it does.
    pub(crate) stagers: Vec<usize>,
    /// The components that the stagers change.
    pub(crate) changed: IndexSet,
    /// The systems and queries that are matched anew.
    pub(crate) matched: Vec<usize>,
    /// Why it waits for all systems, if it does.
    pub(crate) full: Option<Full>,
    /// The systems of earlier phases that it does not wait for.
    pub(crate) over: Vec<usize>,
    /// The systems that neither cause it nor see what it applies, but wait for it or make it wait, and why.
    pub(crate) held: Vec<(usize, Held)>,
}

/// Why a barrier waits for all systems. Each names the system that is the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Full {
    /// It despawns entities, or spawns some: rows are freed and taken.
    Entities(usize),
    /// It defers functions, which may do anything.
    Defers(usize),
    /// It is sequential.
    Sequential(usize),
    /// Whether it runs is found out between the phases: it has a condition, or runs in some variants of a state or in some
    /// executions.
    Condition(usize),
    /// It emits or reads events, adds to a resource, sets a state, or uses a relation.
    Contributes(usize),
    /// It sends or receives a stream.
    Streams(usize),
    /// It and another one update the component, and the refresh compares for which entities.
    Updates(usize, usize),
    /// It changes this component, which is tracked, or whose removed values are read.
    Tracked(usize, usize),
}

/// Why a system does not go on over a barrier that it neither causes nor is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Held {
    /// It could, but the barrier waits for all.
    Full(Full),
    /// It names the component, which changes at the barrier.
    Names(usize),
    /// One of its queries names the component.
    NamesThrough(usize, usize),
    /// It names the first component, which lies in a buffer with the second, which changes.
    Interleaved(usize, usize),
    /// It reads outputs or the state of a system whose staged work is applied.
    Reads(usize),
    /// It uses a query with an index, which is valid for one phase.
    Index(usize),
}

/// The refreshes between phases, in order.
pub(crate) fn barriers(tables: Tables<'_>, phases: &Phases) -> Vec<Barrier> {
    let mut all: Vec<Barrier> = Vec::new();
    for phase in (1..phases.count()).filter(|&phase| phases.begins_with_refresh(phase)) {
        let barrier = barrier(tables, phases, phase, &all);
        all.push(barrier);
    }
    all
}

fn barrier(tables: Tables<'_>, phases: &Phases, phase: usize, earlier: &[Barrier]) -> Barrier {
    let systems = tables.systems;
    let of = |phase| (0..systems.len()).filter(move |&s| phases.phase(s) == phase);
    let order = MergeOrder::of(systems);
    let is_stager = |&s: &usize| phases.phase(s) == phase - 1 && systems[s].stages_work();
    let stagers: Vec<usize> = order.systems().filter(is_stager).collect();
    let mut changed = IndexSet::EMPTY;
    for &s in &stagers {
        let System { insert, remove, update, accumulate, .. } = systems[s].declared;
        changed = changed.union(IndexSet::of_all(&[insert, remove, update, accumulate]));
    }
    let full = (phase - 1..=phase)
        .flat_map(of)
        .find_map(|s| not_plain(tables, s))
        .or_else(|| stagers.iter().find_map(|&s| not_components(tables, &stagers, s)));
    let depends = |s: &usize| {
        let depends = systems[*s].required().union(systems[*s].excluded());
        !depends.is_disjoint(&changed)
    };
    let matched = (0..systems.len()).filter(depends).collect();
    // Those of the phase before, and those that went on over all barriers since theirs.
    let before = earlier.last().filter(|before| before.phase == phase - 1 && before.full.is_none());
    let running =
        of(phase - 1).chain(before.into_iter().flat_map(|before| before.over.iter().copied()));
    let (mut over, mut held) = (Vec::new(), Vec::new());
    for s in running {
        let declared = &systems[s].declared;
        let is_index = declared.query && declared.indexed;
        if systems[s].stages_work() || is_index || not_plain(tables, s).is_some() {
            continue;
        }
        match (meets(tables, &stagers, &changed, s), full) {
            _ if is_idle(&systems[s]) && full.is_some() => {}
            (Some(_), None) if is_idle(&systems[s]) => {}
            (Some(held_by), _) => held.push((s, held_by)),
            (None, Some(full)) => held.push((s, Held::Full(full))),
            (None, None) => over.push(s),
        }
    }
    over.sort_unstable();
    Barrier { phase, stagers, changed, matched, full, over, held }
}

/// Whether the node of the system does nothing: it is a query, or the end of a stage.
fn is_idle(system: &SystemSignature) -> bool {
    system.is_idle() || system.declared.stage
}

/// What of the system at `s`, which runs before or after a barrier, makes that wait for all.
fn not_plain(tables: Tables<'_>, s: usize) -> Option<Full> {
    let declared = &tables.systems[s].declared;
    let System {
        sequential,
        add,
        emit,
        on,
        set_states,
        link,
        relations,
        after_parent,
        streams,
        output_streams,
        ..
    } = *declared;
    if sequential {
        Some(Full::Sequential(s))
    } else if is_conditional(&tables.systems[s]) {
        Some(Full::Condition(s))
    } else if ![add, emit, on, set_states, link, relations, after_parent]
        .iter()
        .all(|list| list.is_empty())
    {
        Some(Full::Contributes(s))
    } else if output_streams || !streams.is_empty() {
        Some(Full::Streams(s))
    } else {
        None
    }
}

/// What the system at `s` stages that is not only a change of components of entities that stay where they are.
fn not_components(tables: Tables<'_>, stagers: &[usize], s: usize) -> Option<Full> {
    let declared = &tables.systems[s].declared;
    if declared.defer {
        return Some(Full::Defers(s));
    }
    if declared.despawn || declared.spawns() {
        return Some(Full::Entities(s));
    }
    let updates = |s: usize, c| tables.systems[s].declared.update.contains(&c);
    let others = |c| stagers.iter().any(|&other| other != s && updates(other, c));
    if let Some(&c) = declared.update.iter().find(|&&c| others(c)) {
        return Some(Full::Updates(s, c));
    }
    let System { insert, remove, update, accumulate, .. } = *declared;
    let mut changes = [insert, remove, update, accumulate].into_iter().flatten();
    let tracked = tracking::components(tables.systems).union(removed::components(tables.systems));
    changes.find(|&&c| tracked.contains(c)).map(|&c| Full::Tracked(s, c))
}

/// Where the system at `s` meets what the barrier changes or reads.
fn meets(tables: Tables<'_>, stagers: &[usize], changed: &IndexSet, s: usize) -> Option<Held> {
    let Tables { systems, components, .. } = tables;
    let declared = &systems[s].declared;
    let named = |system: &System<'_>| {
        (0..components.len()).filter(|&c| system.names(c)).collect::<Vec<_>>()
    };
    let changes = |c: &usize| changed.contains(*c);
    if let Some(c) = named(declared).into_iter().find(changes) {
        return Some(Held::Names(c));
    }
    for &query in declared.queries {
        if systems[query].declared.indexed {
            return Some(Held::Index(query));
        }
        if let Some(c) = named(&systems[query].declared).into_iter().find(changes) {
            return Some(Held::NamesThrough(query, c));
        }
    }
    let buffer = |c: usize| components[c].buffer();
    let neighbour = |c: usize| {
        (0..components.len()).find(|other| changes(other) && buffer(*other) == buffer(c))
    };
    let all = declared.queries.iter().map(|&query| &systems[query].declared);
    for c in all.chain([declared]).flat_map(named).filter(|&c| buffer(c).is_some()) {
        if let Some(other) = neighbour(c) {
            return Some(Held::Interleaved(c, other));
        }
    }
    let reads = declared.inputs.iter().chain(declared.queries).find(|read| stagers.contains(read));
    reads.map(|&read| Held::Reads(read))
}

/// Consecutive phases with barriers between them that some systems go on over: the first phase, and for each barrier these
/// systems. There are none if only nodes that do nothing could go on.
pub(crate) fn groups(
    systems: &[SystemSignature],
    barriers: &[Barrier],
) -> Vec<(usize, Vec<Vec<usize>>)> {
    let mut groups: Vec<(usize, Vec<Vec<usize>>)> = Vec::new();
    let works = |&s: &usize| !is_idle(&systems[s]);
    for barrier in barriers.iter().filter(|barrier| barrier.over.iter().any(works)) {
        match groups.last_mut() {
            Some((first, over)) if *first + over.len() + 1 == barrier.phase => {
                over.push(barrier.over.clone());
            }
            _ => groups.push((barrier.phase - 1, vec![barrier.over.clone()])),
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::super::tests::BLANK;
    use super::*;
    use crate::signature::{ComponentSignature, StagedChanges};

    /// Components 0 to 3 have columns, 4 and 5 share a buffer.
    const COMPONENTS: [ComponentSignature; 6] =
        [column(0), column(1), column(2), column(3), column(4), column(4)];

    const fn column(buffer: usize) -> ComponentSignature {
        ComponentSignature::new::<u8>("C", buffer)
    }

    /// The only barrier, before phase 1, of systems of which those from `second` on are in that phase.
    fn only(systems: &[SystemSignature], second: usize) -> Barrier {
        let mut phases = Phases { count: 2, ..Phases::ONE };
        phases.refreshes.add(1);
        phases.by_system[second..].fill(1);
        let tables = Tables {
            name: "W",
            components: &COMPONENTS,
            resources: &[],
            systems,
            staged_changes: StagedChanges::RefreshBeforeDependents,
        };
        let mut all = barriers(tables, &phases);
        assert_eq!(all.len(), 1);
        all.remove(0)
    }

    const TAG: SystemSignature = BLANK.insert(&[0]);
    const USE: SystemSignature = BLANK.with(&[0]).after(&[0]);

    #[test]
    fn a_system_goes_on_if_it_meets_nothing_that_changes() {
        for (system, held) in [
            (BLANK.write(&[1]), None),
            (BLANK.write_resources(&[0]).after(&[0]), None),
            (BLANK.read(&[1]).exclusive(), None),
            (BLANK.read(&[0]), Some(Held::Names(0))),
            (BLANK.write_optional(&[1, 0]), Some(Held::Names(0))),
            (BLANK.read(&[1]).without(&[0]), Some(Held::Names(0))),
            (BLANK.read_any(&[0]), Some(Held::Names(0))),
            (BLANK.read(&[1]).inputs(&[0]), Some(Held::Reads(0))),
        ] {
            let Barrier { stagers, changed, matched, full, over, held: all, .. } =
                only(&[TAG, system, USE], 2);
            assert_eq!((stagers, changed, full), (vec![0], IndexSet::of(&[0]), None));
            assert!(matched.contains(&2) && !matched.contains(&0), "{matched:?}");
            assert_eq!(over, if held.is_none() { vec![1] } else { vec![] }, "{system:?}");
            assert_eq!(all, held.map(|held| (1, held)).into_iter().collect::<Vec<_>>());
        }
    }

    #[test]
    fn queries_and_buffers_are_what_a_system_meets_too() {
        let query = BLANK.read(&[1]).query();
        let uses = BLANK.queries(&[1]);
        for (query, user, held) in [
            (query, uses, None),
            (query.with(&[0]), uses, Some(Held::NamesThrough(1, 0))),
            (query.indexed(), uses, Some(Held::Index(1))),
            (query, uses.read(&[5]), None),
        ] {
            let barrier = only(&[TAG, query, user, USE], 3);
            assert_eq!(barrier.over.contains(&2), held.is_none());
            assert_eq!(barrier.held, held.map(|held| (2, held)).into_iter().collect::<Vec<_>>());
        }
        let barrier = only(&[BLANK.remove(&[4]), BLANK.read(&[5]), BLANK.read(&[4])], 2);
        assert_eq!(barrier.held, [(1, Held::Interleaved(5, 4))]);
        let users =
            [BLANK.remove(&[4]), BLANK.read(&[5]).query(), BLANK.queries(&[1]), BLANK.read(&[4])];
        assert_eq!(only(&users, 3).held, [(2, Held::Interleaved(5, 4))]);
    }

    #[test]
    fn a_barrier_waits_for_all_if_it_does_more_than_change_components() {
        let long = BLANK.write(&[1]);
        for (stager, full) in [
            (TAG.despawn(), Full::Entities(0)),
            (BLANK.spawn(&[Some(&[0])]), Full::Entities(0)),
            (TAG.defer(), Full::Defers(0)),
            (BLANK.sequential().insert(&[0]), Full::Sequential(0)),
            (TAG.add(&[0]), Full::Contributes(0)),
            (TAG.emit(&[0]), Full::Contributes(0)),
            (TAG.on(&[0]), Full::Contributes(0)),
            (TAG.run_if(&[0]), Full::Condition(0)),
        ] {
            let barrier = only(&[stager, long, USE], 2);
            assert_eq!((barrier.full, barrier.over), (Some(full), vec![]), "{stager:?}");
            assert_eq!(barrier.held, [(1, Held::Full(full))]);
        }
        // Behind the barrier as well.
        assert_eq!(only(&[TAG, long, USE.run_if(&[0])], 2).full, Some(Full::Condition(2)));
        assert_eq!(only(&[TAG, long, USE.streams(&[0])], 2).full, Some(Full::Streams(2)));
        assert_eq!(only(&[TAG, long, USE.despawn()], 2).full, None, "it does so later");
        // Two that update one component may conflict; one does not.
        let update = BLANK.update(&[0]);
        assert_eq!(only(&[update, long, USE], 2).over, [1]);
        assert_eq!(only(&[update, update, USE], 2).full, Some(Full::Updates(0, 0)));
        for reads in [USE.changed(&[0]), USE.removed(&[0])] {
            assert_eq!(only(&[TAG, long, reads], 2).full, Some(Full::Tracked(0, 0)));
        }
        // Any number may accumulate into one.
        let merge = BLANK.accumulate(&[0]);
        let barrier = only(&[merge, merge, long, USE], 3);
        assert_eq!((barrier.over, barrier.matched, barrier.full), (vec![2], vec![3], None));
        let barrier = only(&[merge, BLANK.read(&[0]), USE], 2);
        assert_eq!(barrier.held, [(1, Held::Names(0))]);
        assert_eq!(only(&[merge, long, USE.changed(&[0])], 2).full, Some(Full::Tracked(0, 0)));
    }

    #[test]
    fn phases_are_in_one_group_as_long_as_something_goes_on() {
        // 0 and 1 tag for 2, which tags for 3, which despawns before 4. 5 goes on over the first, 6 over two.
        let systems = [
            TAG,
            BLANK.insert(&[0]),
            BLANK.with(&[0]).insert(&[2]),
            BLANK.with(&[2]).despawn(),
            BLANK.read(&[3]),
            BLANK.read(&[2]),
            BLANK.read(&[1]),
        ];
        let mut phases = Phases { count: 4, ..Phases::ONE };
        (1..4).for_each(|phase| phases.refreshes.add(phase));
        phases.by_system[2..5].copy_from_slice(&[1, 2, 3]);
        let tables = Tables {
            name: "W",
            components: &COMPONENTS,
            resources: &[],
            systems: &systems,
            staged_changes: StagedChanges::RefreshBeforeDependents,
        };
        let all = barriers(tables, &phases);
        assert_eq!(all[1].held, [(5, Held::Names(2))]);
        assert_eq!(all[2].held, [(6, Held::Full(Full::Entities(3)))]);
        assert_eq!(groups(&systems, &all), [(0, vec![vec![5, 6], vec![6]])]);
        // The end of a stage alone is not worth it.
        let idle = [
            TAG,
            SystemSignature { declared: System { stage: true, ..BLANK.declared }, ..BLANK },
            USE,
        ];
        assert_eq!(groups(&idle, &[only(&idle, 2)]), []);
    }
}
