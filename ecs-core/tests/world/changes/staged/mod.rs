//! When staged changes become visible: worlds that refresh in the middle of an execution.

mod deferring;
mod figure_2;
mod partial;
mod replaced;

use std::hash::{DefaultHasher, Hash, Hasher};

use ecs_core::settings::{Allow, AtomicCounter, Config, Disallow, Dynamic, Fixed, Sequential};
use ecs_core::signature::Phases;
use ecs_core::{Data, Entity, Place, System, Threads, World, world};

use crate::support::every_kind;

#[derive(Clone, Copy, Debug, Hash, PartialEq, Eq)]
struct Age(u64);
#[derive(Clone, Copy, Debug, PartialEq)]
struct Old;
#[derive(Debug, Default)]
struct Calls(u64);

world! {
    // Phases: Breed, Note | Grow | Reap | Count.
    world Town { entity_limit: dynamic(16), staged_changes: refresh_before_dependents }
    component Age: contiguous_buffer;
    component Old: contiguous_buffer;
    resource Calls;

    system Breed { read: [Age], parallelism: split_every(64), spawn: [(Age,)], output: Vec<Place> }
    system Note { inputs: [Breed], write_resources: [Calls] }
    system Grow { write: [Age], dependencies: [Breed], parallelism: split_every(64), insert: [Old] }
    system Reap {
        with: [Old],
        inputs: [Breed],
        dependencies: [Grow],
        parallelism: split_every(64),
        despawn,
    }
    system Count {
        read: [Age],
        read_any: [Age],
        inputs: [Breed],
        dependencies: [Reap],
        output: Vec<(Entity, Age)>,
    }
}

/// Spawns an entity for each third age, and lists all places.
#[derive(Default)]
struct Breed;
impl System<Town> for Breed {
    fn process(&self, data: &mut Data<'_, Town, Self>) {
        let Data { own, effects, .. } = data;
        own.query::<(Place, &Age)>().for_each(|(place, age)| {
            effects.output().push(place);
            if age.0 % 3 == 0 {
                effects.spawn((Age(age.0 / 3),));
            }
        });
    }
}

#[derive(Default)]
struct Note;
impl System<Town> for Note {
    fn process(&self, data: &mut Data<'_, Town, Self>) {
        let listed = data.effects.outputs_of::<Breed>().flatten().count();
        data.resources.get_mut::<Calls>().0 += listed as u64;
    }
}

#[derive(Default)]
struct Grow;
impl System<Town> for Grow {
    fn process(&self, data: &mut Data<'_, Town, Self>) {
        let Data { own, effects, .. } = data;
        own.for_entities(|e| {
            e.age.0 += 1;
            if e.age.0 % 7 == 0 {
                effects.insert(e.entity, Old);
            }
        });
    }
}

#[derive(Default)]
struct Reap;
impl System<Town> for Reap {
    fn process(&self, data: &mut Data<'_, Town, Self>) {
        let Data { own, effects, .. } = data;
        own.query::<Entity>().for_each(|entity| effects.despawn(entity));
    }
}

#[derive(Default)]
struct Count;
impl System<Town> for Count {
    fn process(&self, data: &mut Data<'_, Town, Self>) {
        let Data { own, effects, .. } = data;
        own.for_entities(|e| effects.output().push((e.entity, *e.age)));
    }
}

const PHASES: Phases = Phases::of::<Town>();

#[test]
fn refreshes_are_where_they_are_needed_only() {
    let phases = [
        PHASES.phase_of::<Town, Breed>(),
        PHASES.phase_of::<Town, Note>(),
        PHASES.phase_of::<Town, Grow>(),
        PHASES.phase_of::<Town, Reap>(),
        PHASES.phase_of::<Town, Count>(),
    ];
    assert_eq!((phases, PHASES.count()), ([0, 0, 1, 2, 3], 4));
}

fn town<S: ecs_core::settings::Settings>(threads: Threads) -> World<Town, S> {
    let mut world = World::on(threads);
    world
        .step(|step| {
            for age in 0..200 {
                step.spawn((Age(age),));
            }
        })
        .unwrap();
    world
}

fn ages<S: ecs_core::settings::Settings>(world: &World<Town, S>) -> Vec<u64> {
    let mut ages = Vec::new();
    for age in world.iter::<&Age>() {
        ages.push(age.0);
    }
    ages.sort_unstable();
    ages
}

/// The effect of a step on the ages, with every change applied at once.
fn naive(ages: &mut Vec<u64>) {
    let children: Vec<u64> = ages.iter().filter(|age| *age % 3 == 0).map(|age| age / 3).collect();
    ages.extend(children);
    for age in &mut *ages {
        *age += 1;
    }
    ages.retain(|age| age % 7 != 0);
    ages.sort_unstable();
}

#[test]
fn a_chain_in_one_step_is_as_if_done_at_once() {
    for threads in every_kind() {
        let mut world = town::<Config<Dynamic<16>, Allow, AtomicCounter>>(threads);
        let mut expected: Vec<u64> = (0..200).collect();
        let mut calls = 0;
        for _ in 0..12 {
            calls += expected.len() as u64;
            naive(&mut expected);
            let counted = world
                .step(|step| {
                    step.execute_systems();
                    let mut counted = Vec::new();
                    step.output_parts_of::<Count>().for_each(|out| {
                        counted.extend(out.iter().map(|(_, age)| age.0));
                    });
                    counted.sort_unstable();
                    counted
                })
                .unwrap();
            assert_eq!(counted, expected, "the last phase sees all");
            assert_eq!(ages(&world), expected);
            assert_eq!(world.resource::<Calls>().0, calls, "outputs outlast a refresh");
        }
    }
}

/// A hash of the handles and ages in order, after each step.
fn fingerprint<S: ecs_core::settings::Settings>(threads: Threads) -> u64 {
    let mut world = town::<S>(threads);
    let mut hasher = DefaultHasher::new();
    for round in 0..10 {
        world
            .step(|step| {
                step.execute_systems();
                if round % 3 == 0 {
                    step.execute_systems_from::<(Grow,)>();
                    step.execute_systems_from::<(Note,)>();
                }
            })
            .unwrap();
        for found in world.iter::<(Entity, &Age)>() {
            found.hash(&mut hasher);
        }
    }
    hasher.finish()
}

#[test]
fn the_same_bits_on_any_threads_under_any_settings() {
    let expected = fingerprint::<Config<Dynamic<16>, Disallow, Sequential>>(Threads::Inline);
    for threads in every_kind() {
        for found in [
            fingerprint::<Config<Dynamic<16>, Allow, AtomicCounter>>(threads.clone()),
            fingerprint::<Config<Dynamic<16>, Allow, Sequential>>(threads.clone()),
            fingerprint::<Config<Fixed<40_000>, Allow, AtomicCounter>>(threads.clone()),
            fingerprint::<Config<Fixed<40_000>, Disallow, AtomicCounter>>(threads.clone()),
        ] {
            assert_eq!(found, expected);
        }
    }
}
