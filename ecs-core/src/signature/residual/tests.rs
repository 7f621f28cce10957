//! The phases and the first conflict, compared with a naive computation from the definition.

use core::array;

use proptest::prelude::*;

use super::super::MAX_SYSTEMS;
use super::super::bits::{SystemBits, has};
use super::super::check::ancestors;
use super::*;
use crate::types::TypeInfo;

/// A system that declares nothing.
pub(in crate::signature) const BLANK: SystemSignature = SystemSignature {
    name: "S",
    info: TypeInfo::of::<()>(),
    single_subtask: true,
    output_concatenates: true,
    output_is_ordered: true,
    output_streams: false,
    read: &[],
    write: &[],
    read_optional: &[],
    write_optional: &[],
    read_any: &[],
    with: &[],
    without: &[],
    exclusive: false,
    sequential: false,
    slice_dependent: false,
    opt_in: false,
    query: false,
    indexed: false,
    after: &[],
    before: &[],
    inputs: &[],
    queries: &[],
    streams: &[],
    unordered: false,
    read_resources: &[],
    write_resources: &[],
    insert: &[],
    remove: &[],
    update: &[],
    despawn: false,
    spawn: false,
    bundles: None,
    defer: false,
};

fn phases(systems: &[SystemSignature]) -> Vec<usize> {
    let phases = Phases::between_refreshes(systems, &ancestors(systems));
    let all: Vec<usize> = (0..systems.len()).map(|index| phases.phase(index)).collect();
    assert_eq!(phases.count(), all.iter().max().map_or(1, |highest| highest + 1));
    all
}

/// `later` after a system with the given effects: what it sees too early.
fn seen(earlier: &SystemSignature, later: &SystemSignature) -> Option<Effect> {
    let systems = [*earlier, later.after(&[0])];
    let found = effect(&systems, &systems[0], &systems[1]);
    let expected = if found.is_some() { [0, 1] } else { [0, 0] };
    assert_eq!(phases(&systems), expected);
    assert_eq!(first_conflict(&systems, &ancestors(&systems)), found.map(|_| (0, 1)));
    found
}

#[test]
fn a_change_of_a_component_is_for_those_that_name_it() {
    let (insert, remove) = (BLANK.insert(&[0, 1]), BLANK.remove(&[1]));
    for later in [
        BLANK.read(&[1]),
        BLANK.write(&[1]),
        BLANK.with(&[1]),
        BLANK.without(&[1]),
        BLANK.read_optional(&[1]),
        BLANK.write_optional(&[1]),
        BLANK.read_any(&[1]),
    ] {
        assert_eq!(seen(&insert, &later), Some(Effect::Insert(1)));
        assert_eq!(seen(&remove, &later), Some(Effect::Remove(1)));
    }
    // A system that changes the component without reading it sees nothing of the change.
    for later in [BLANK.read(&[2]), BLANK.insert(&[1]), BLANK.remove(&[1]).despawn(), BLANK] {
        assert_eq!(seen(&insert, &later), None);
        assert_eq!(seen(&remove, &later), None);
    }
}

#[test]
fn an_update_is_for_those_that_read_the_component() {
    let update = BLANK.update(&[0, 1]);
    for later in [
        BLANK.read(&[1]),
        BLANK.write(&[1]),
        BLANK.read_optional(&[1]),
        BLANK.write_optional(&[1]),
        BLANK.read_any(&[1]),
        BLANK.update(&[1]),
    ] {
        assert_eq!(seen(&update, &later), Some(Effect::Update(1)));
        assert_eq!(seen(&BLANK.insert(&[1]), &later), Some(Effect::Insert(1)));
    }
    for later in [BLANK.with(&[1]), BLANK.without(&[1]), BLANK.insert(&[1]), BLANK.update(&[2])] {
        assert_eq!(seen(&update, &later), None, "presence stays as it is");
    }
}

#[test]
fn a_spawn_is_seen_by_systems_that_would_be_subscribed() {
    let parent = BLANK.spawn_only(&[&[0, 1], &[2]]);
    assert_eq!(seen(&parent, &BLANK.read(&[0]).with(&[1])), Some(Effect::Spawn));
    assert_eq!(seen(&parent, &BLANK.without(&[1])), Some(Effect::Spawn), "by the second bundle");
    assert_eq!(
        seen(&parent, &BLANK.read_optional(&[7])),
        Some(Effect::Spawn),
        "it matches every entity"
    );
    assert_eq!(seen(&parent, &BLANK.read(&[0]).without(&[1])), None);
    assert_eq!(seen(&parent, &BLANK.read(&[0]).with(&[2])), None, "no bundle has both");
    assert_eq!(seen(&parent, &BLANK.read_any(&[0])), None, "no system has its handle yet");
    assert_eq!(seen(&parent, &BLANK.read_resources(&[0])), None);
    let anything = BLANK.spawn();
    assert_eq!(seen(&anything, &BLANK.read(&[0]).without(&[1])), Some(Effect::Spawn));
    assert_eq!(seen(&anything, &BLANK), None);
}

#[test]
fn a_death_is_for_all_with_entities_or_a_view_of_any() {
    // Filters do not separate the systems: the despawning system may have handles of entities other than its own.
    for despawner in [BLANK.despawn(), BLANK.despawn().with(&[0]).without(&[1])] {
        for later in [BLANK.read(&[2]), BLANK.without(&[0]), BLANK.with(&[1]), BLANK.read_any(&[2])]
        {
            assert_eq!(seen(&despawner, &later), Some(Effect::Despawn));
        }
        assert_eq!(seen(&despawner, &BLANK.write_resources(&[0])), None, "it has no entities");
    }
}

#[test]
fn what_is_done_at_once_is_late_for_whom_it_makes_a_match() {
    let at_once = BLANK.sequential();
    let (insert, remove) = (at_once.insert(&[0, 1]), at_once.remove(&[1]));
    for later in [BLANK.read(&[1]), BLANK.write(&[1]), BLANK.with(&[1])] {
        assert_eq!(seen(&insert, &later), Some(Effect::Insert(1)));
        assert_eq!(seen(&remove, &later), None, "who has lost it is let go");
    }
    assert_eq!(seen(&insert, &BLANK.without(&[1])), Some(Effect::Insert(1)));
    assert_eq!(seen(&remove, &BLANK.without(&[1])), Some(Effect::Remove(1)));
    for later in
        [BLANK.read_optional(&[1]), BLANK.write_optional(&[1]), BLANK.with(&[2]).read_any(&[1])]
    {
        assert_eq!(seen(&insert, &later), None, "it looks when it runs");
        assert_eq!(seen(&remove, &later), None);
    }
    assert_eq!(seen(&at_once.despawn(), &BLANK.read(&[2])), None);
    let parent = at_once.spawn_only(&[&[0, 1]]);
    assert_eq!(seen(&parent, &BLANK.read(&[0])), Some(Effect::Spawn));
    assert_eq!(seen(&parent, &BLANK.read(&[0]).without(&[1])), None);
}

#[test]
fn deferred_functions_are_for_all() {
    assert_eq!(seen(&BLANK.defer(), &BLANK), Some(Effect::Defer));
    assert_eq!(phases(&[BLANK.defer(), BLANK]), [0, 0], "that run later");
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
    let mut i = 1;
    while i < MANY {
        before[i] = [i - 1];
        i += 1;
    }
    before
};

/// A chain of systems in which each changes what all later ones see.
const CHAIN: &[SystemSignature; MANY] = &{
    let mut chain = [BLANK.write(&[0]).despawn().remove(&[0]); MANY];
    let mut i = 1;
    while i < MANY {
        chain[i] = chain[i].after(&BEFORE[i]);
        i += 1;
    }
    chain
};

/// The compiler reports evaluations that take too long.
const PHASES_OF_CHAIN: Phases = Phases::between_refreshes(CHAIN, &ancestors(CHAIN));

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
    let bundles = prop::option::weighted(0.3, prop::collection::vec(list(), 0..3));
    let flags = (flag(), flag(), flag(), flag());
    (lists, bundles, flags).prop_map(|(lists, bundles, (despawn, spawn, defer, sequential))| {
        let [read, write, read_optional, write_optional, read_any, with, without, changes @ ..] =
            lists;
        let [insert, remove, update] = changes;
        SystemSignature {
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
            spawn: spawn || bundles.is_some(),
            bundles: bundles.map(|bundles| &*bundles.leak()),
            ..BLANK
        }
    })
}

/// Systems in random order, with random edges that form no cycle.
pub(in crate::signature) fn declarations() -> impl Strategy<Value = Vec<SystemSignature>> {
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
                let (after, inputs) = (chosen(0), chosen(1));
                let system = &mut systems[places[later]];
                *system = system.after(after).inputs(inputs);
            }
            systems
        })
    })
}

/// By the definition: over all pairs, until nothing changes.
fn naive(systems: &[SystemSignature], ancestors: &[SystemBits; MAX_SYSTEMS]) -> Vec<usize> {
    let mut phases = vec![0; systems.len()];
    loop {
        let before = phases.clone();
        for later in 0..systems.len() {
            for earlier in (0..systems.len()).filter(|&earlier| has(&ancestors[later], earlier)) {
                let step =
                    usize::from(effect(systems, &systems[earlier], &systems[later]).is_some());
                phases[later] = phases[later].max(phases[earlier] + step);
            }
        }
        if phases == before {
            return phases;
        }
    }
}

#[test]
fn phases_and_conflicts_are_as_by_definition() {
    with_room(|| {
        let config =
            ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) };
        proptest!(config, |(systems in declarations())| {
            let ancestors = ancestors(&systems);
            prop_assert_eq!(phases(&systems), naive(&systems, &ancestors));
            let pairs = (0..systems.len()).flat_map(|later| {
                (0..systems.len()).map(move |earlier| (earlier, later))
            });
            let conflict = pairs.into_iter().find(|&(earlier, later)| {
                has(&ancestors[later], earlier)
                    && effect(&systems, &systems[earlier], &systems[later]).is_some()
            });
            prop_assert_eq!(first_conflict(&systems, &ancestors), conflict);
        });
    });
}
