//! The phases and the first conflict, compared with a naive computation from the definition.

use core::array;

use proptest::prelude::*;

use ecs_rules::System;

use super::super::ancestors::ancestors;
use super::*;
use crate::types::TypeInfo;

/// A system that declares nothing.
pub(in crate::signature) const BLANK: SystemSignature =
    SystemSignature { name: "S", info: TypeInfo::of::<()>(), declared: System::BLANK };

/// The phases with a refresh before all dependents.
fn with_refreshes(systems: &[SystemSignature]) -> Phases {
    let rule = StagedChanges::RefreshBeforeDependents;
    Phases::between_refreshes(systems, rule, &ancestors(systems))
}

fn phases(systems: &[SystemSignature]) -> Vec<usize> {
    let phases = with_refreshes(systems);
    let all: Vec<usize> = (0..systems.len()).map(|index| phases.phase(index)).collect();
    assert_eq!(phases.count(), all.iter().max().map_or(1, |highest| highest + 1));
    all
}

#[test]
fn who_comes_later_is_in_another_phase_if_it_sees_what_was_staged() {
    with_room(|| {
        let defer = BLANK.defer();
        for (earlier, later, expected) in [
            (BLANK.insert(&[0, 1]), BLANK.without(&[1]), [0, 1]),
            (BLANK.despawn(), BLANK.read_any(&[1]), [0, 1]),
            (BLANK.spawn(&[Some(&[0]), Some(&[1])]), BLANK.with(&[1]), [0, 1]),
            (BLANK.spawn(&[Some(&[0]), Some(&[1])]), BLANK.with(&[0, 1]), [0, 0]),
            (BLANK.sequential().remove(&[1]), BLANK.read(&[1]), [0, 0]),
            (defer, BLANK, [0, 1]),
        ] {
            let systems = [earlier, later.after(&[0])];
            assert_eq!(phases(&systems), expected, "{systems:?}");
            let conflict = (expected == [0, 1]).then_some((0, 1));
            assert_eq!(
                first_conflict(&systems, &Phases::ONE, &ancestors(&systems)),
                conflict,
                "{systems:?}"
            );
        }
        assert_eq!(phases(&[defer, BLANK]), [0, 0], "nothing orders them");
    });
}

#[test]
fn what_is_seen_comes_before_a_refresh_under_any_rule() {
    with_room(|| {
        // 1 sees 0, 2 comes after 1 and is affected, 3 comes after 0 only and is affected.
        let despawn = BLANK.despawn();
        let mut systems =
            [despawn, BLANK.sees(&[0]), BLANK.read(&[0]).after(&[1]), BLANK.read(&[0]).after(&[0])];
        let order = ancestors(&systems);
        for rule in [StagedChanges::AfterStep, StagedChanges::Deny] {
            let phases = Phases::between_refreshes(&systems, rule, &order);
            assert_eq!([0, 1, 2, 3].map(|s| phases.phase(s)), [0, 1, 1, 0]);
            assert_eq!([0, 1].map(|phase| phases.begins_with_refresh(phase)), [false, true]);
            assert_eq!(first_conflict(&systems, &phases, &order), Some((0, 3)));
        }
        assert_eq!(phases(&systems), [0, 1, 1, 1]);
        systems[3] = BLANK.read(&[0]).sees(&[0]);
        let phases = Phases::between_refreshes(&systems, StagedChanges::Deny, &ancestors(&systems));
        assert_eq!(first_conflict(&systems, &phases, &order), None);
    });
}

#[test]
fn an_index_is_in_the_phase_of_its_first_user() {
    with_room(|| {
        // 0 writes what the index 1 is made from, and removes it. 2 uses the index and sees that. 3 runs first.
        let index = BLANK.read(&[0]).query().indexed();
        let systems = [
            BLANK.write(&[0]).remove(&[0]).after(&[3]),
            index.after(&[0]),
            BLANK.queries(&[1]).sees(&[0]),
            BLANK.read(&[0]),
        ];
        let order = ancestors(&systems);
        for rule in [StagedChanges::AfterStep, StagedChanges::Deny] {
            let phases = Phases::between_refreshes(&systems, rule, &order);
            assert_eq!([0, 1, 2, 3].map(|s| phases.phase(s)), [0, 1, 1, 0]);
            assert_eq!(first_conflict(&systems, &phases, &order), None);
        }
        assert_eq!(phases(&systems), [0, 1, 1, 0]);
        // An index that is seen stays before the refresh.
        let systems = [index, BLANK.after(&[2]).sees(&[0]), BLANK];
        assert_eq!(phases(&systems), [0, 1, 0]);
    });
}

#[test]
fn one_refresh_serves_all_that_need_it() {
    // 0 despawns. 1 is not affected. 2 is, and comes after 1. 3 inserts for 4, which also comes after 2.
    let systems = [
        BLANK.despawn(),
        BLANK.write_resources(&[0]).after(&[0]),
        BLANK.read(&[0]).after(&[1]),
        BLANK.insert(&[1]),
        BLANK.read(&[1]).after(&[3]).inputs(&[2]),
        BLANK.after(&[4]),
    ];
    assert_eq!(phases(&systems), [0, 0, 1, 0, 1, 1]);
}

const MANY: usize = 1_000;

/// Each system's predecessor.
const BEFORE: &[[usize; 1]; MANY] = &{
    let mut before = [[0]; MANY];
    for_each!(i < MANY - 1, {
        before[i + 1] = [i];
    });
    before
};

/// A chain of systems in which each changes what all later ones see.
const CHAIN: &[SystemSignature; MANY] = &{
    let mut chain = [BLANK.write(&[0]).despawn().remove(&[0]); MANY];
    for_each!(i < MANY - 1, {
        chain[i + 1] = chain[i + 1].after(&BEFORE[i + 1]);
    });
    chain
};

/// The compiler reports evaluations that take too long.
const PHASES_OF_CHAIN: Phases =
    Phases::between_refreshes(CHAIN, StagedChanges::RefreshBeforeDependents, &ancestors(CHAIN));

#[test]
fn a_chain_of_a_thousand_refreshes_between_all() {
    assert_eq!(PHASES_OF_CHAIN.count(), MANY);
    assert!((0..MANY).all(|index| PHASES_OF_CHAIN.phase(index) == index));
}

/// Runs `f` on a stack that is large enough for the tables, which unoptimised code copies.
pub(in crate::signature) fn with_room(f: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(64 << 20).spawn(f);
    thread.expect("a thread").join().expect("no panic");
}

const COMPONENTS: usize = 5;

/// A list of components, usually a short one.
fn list() -> impl Strategy<Value = &'static [usize]> {
    let members = prop_oneof![3 => Just(0_usize), 2 => 0_usize..1 << COMPONENTS];
    members.prop_map(|members| {
        &*(0..COMPONENTS).filter(|index| members >> index & 1 == 1).collect::<Vec<_>>().leak()
    })
}

fn flag() -> impl Strategy<Value = bool> {
    prop::bool::weighted(0.2)
}

fn signature() -> impl Strategy<Value = SystemSignature> {
    let lists: [_; 10] = array::from_fn(|_| list());
    let bundle = prop::option::weighted(0.8, list());
    let bundles = prop_oneof![7 => Just(Vec::new()), 3 => prop::collection::vec(bundle, 0..3)];
    let flags = (flag(), flag(), flag());
    (lists, bundles, flags).prop_map(|(lists, bundles, (despawn, defer, sequential))| {
        let [read, write, read_optional, write_optional, read_any, with, without, changes @ ..] =
            lists;
        let [insert, remove, update] = changes;
        let declared = System {
            read,
            write,
            read_optional,
            write_optional,
            read_any,
            with,
            without,
            insert,
            remove,
            update,
            despawn,
            sequential,
            defer: defer && despawn && !sequential,
            bundles: bundles.leak(),
            ..System::BLANK
        };
        SystemSignature { declared, ..BLANK }
    })
}

/// Systems in random order, with random edges that form no cycle.
fn declarations() -> impl Strategy<Value = Vec<SystemSignature>> {
    (1_usize..12).prop_flat_map(|len| {
        let systems = prop::collection::vec(signature(), len);
        let edges = prop::collection::vec(0_u8..8, len * len);
        let places = Just((0..len).collect::<Vec<_>>()).prop_shuffle();
        (systems, edges, places).prop_map(move |(mut systems, edges, places)| {
            for later in 0..len {
                let chosen = |kind| {
                    (0..later)
                        .filter(|earlier| edges[later * len + earlier] == kind)
                        .map(|earlier| places[earlier])
                        .collect::<Vec<_>>()
                        .leak()
                };
                let (after, inputs, sees) = (chosen(0), chosen(1), chosen(2));
                let system = &mut systems[places[later]];
                *system = system.after(after).inputs(inputs).sees(sees);
            }
            systems
        })
    })
}

/// Calls `check` with random declarations.
pub(in crate::signature) fn for_declarations(
    cases: u32,
    check: impl Fn(&[SystemSignature]) + Send + 'static,
) {
    with_room(move || {
        let config =
            ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases) };
        proptest!(config, |(systems in declarations())| check(&systems));
    });
}

/// By the definition: over all pairs, until nothing changes.
fn naive(systems: &[SystemSignature], rule: StagedChanges, ancestors: &Ancestors) -> Vec<usize> {
    let mut phases = vec![0; systems.len()];
    loop {
        let before = phases.clone();
        for later in 0..systems.len() {
            for earlier in (0..systems.len()).filter(|&earlier| ancestors[later].contains(earlier))
            {
                let late = rule == StagedChanges::RefreshBeforeDependents
                    && late_effect(systems, &systems[earlier], &systems[later]).is_some();
                let seen = systems[later].declared.sees.contains(&earlier);
                phases[later] = phases[later].max(phases[earlier] + usize::from(late || seen));
            }
        }
        if phases == before {
            return phases;
        }
    }
}

#[test]
fn phases_and_conflicts_are_as_by_definition() {
    for_declarations(500, |systems| {
        let ancestors = ancestors(systems);
        let all = 0..systems.len();
        let mut seen = Phases::ONE;
        for rule in [StagedChanges::RefreshBeforeDependents, StagedChanges::Deny] {
            seen = Phases::between_refreshes(systems, rule, &ancestors);
            let found: Vec<usize> = all.clone().map(|index| seen.phase(index)).collect();
            assert_eq!(found, naive(systems, rule, &ancestors));
            assert_eq!(seen.count(), found.iter().max().unwrap() + 1);
            assert!((0..seen.count()).all(|phase| seen.begins_with_refresh(phase) == (phase > 0)));
        }
        let pairs = all.clone().flat_map(|later| all.clone().map(move |earlier| (earlier, later)));
        let conflict = pairs.into_iter().find(|&(earlier, later)| {
            ancestors[later].contains(earlier)
                && seen.phase(earlier) == seen.phase(later)
                && late_effect(systems, &systems[earlier], &systems[later]).is_some()
        });
        assert_eq!(first_conflict(systems, &seen, &ancestors), conflict);
    });
}
