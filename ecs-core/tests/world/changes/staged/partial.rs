//! Executions of some phases only, a panic in a phase, and places used across phases.

use std::sync::Mutex;

use ecs_core::settings::{Allow, AtomicCounter, Config, Dynamic, Fixed};
use ecs_core::{Entity, Place, StepError, Threads};

use super::{Age, Breed, Count, Grow, Old, Reap, Town, ages, town};
use crate::support::{caught, every_kind, fail};

#[test]
fn partial_chains_and_closures() {
    for threads in every_kind() {
        let mut world = town::<Config<Dynamic<16>, Allow, AtomicCounter>>(threads);
        world
            .step(|step| {
                // Closures replace the bodies in their phases.
                step.execute_with(|systems| {
                    systems.from::<(Grow,)>().for_subtasks::<Grow>(|_, data| {
                        let (own, effects) = (&mut data.own, &mut data.effects);
                        own.for_entities(|e| {
                            if e.age.0 < 50 {
                                effects.insert(e.entity, Old);
                            }
                        });
                    })
                });
                let count = |step: &ecs_core::Step<'_, Town, _>| {
                    let mut seen = 0;
                    step.output_parts_of::<Count>().for_each(|out| seen += out.len());
                    seen
                };
                assert_eq!((count(step), step.entity_count()), (150, 150));
                // The last phase alone stages nothing. An execution begins with a refresh.
                let spawned = step.spawn((Age(1), Old));
                step.execute_systems_from::<(Count,)>();
                assert_eq!(count(step), 151);
                step.execute_systems_from::<(Reap,)>();
                assert!(!step.is_alive(spawned));
                // Entities that the step itself marks for despawning are gone too.
                let mut listed = Vec::new();
                step.output_parts_of::<Count>()
                    .for_each(|out| listed.extend(out.iter().map(|e| e.0)));
                step.despawn(listed[0]);
                step.execute_systems_from::<(Count,)>();
                assert_eq!(count(step), 149);
            })
            .unwrap();
    }
}

#[test]
fn an_old_place_finds_the_entity_in_its_row_or_none() {
    for threads in every_kind() {
        let mut world = town::<Config<Dynamic<16>, Allow, AtomicCounter>>(threads);
        let found = Mutex::new(Vec::new());
        world
            .step(|step| {
                step.execute_with(|systems| {
                    systems
                        .for_subtasks::<Grow>(|_, data| {
                            let (own, effects) = (&mut data.own, &mut data.effects);
                            own.for_entities(|e| {
                                if e.age.0 >= 50 {
                                    effects.insert(e.entity, Old);
                                }
                            });
                        })
                        // These places are two refreshes old. Each subtask names all of them.
                        .for_subtasks::<Reap>(|_, data| {
                            let places: Vec<_> =
                                data.effects.outputs_of::<Breed>().flatten().copied().collect();
                            assert_eq!(places.len(), 200);
                            places[100..].iter().for_each(|&place| data.effects.despawn(place));
                        })
                        .for_subtasks::<Count>(|_, data| {
                            let ages = data.effects.read_any::<Age>();
                            let places = data.effects.outputs_of::<Breed>().flatten();
                            found
                                .lock()
                                .unwrap()
                                .extend(places.map(|&place| ages.get(place).copied()));
                        })
                });
                // The 67 spawned entities have moved into the gaps of the 100 despawned ones.
                assert_eq!(step.entity_count(), 167);
            })
            .unwrap();
        let found = found.into_inner().unwrap();
        assert_eq!((found.len(), found.iter().flatten().count()), (200, 167));
    }
}

#[test]
fn a_panic_drops_what_its_phase_has_staged() {
    for threads in every_kind() {
        let mut world = town::<Config<Dynamic<16>, Allow, AtomicCounter>>(threads.clone());
        let payload = caught(|| {
            world.step(|step| {
                step.execute_with(|systems| {
                    systems.for_subtasks::<Reap>(|_, data| {
                        let (own, effects) = (&mut data.own, &mut data.effects);
                        own.query::<Entity>().for_each(|entity| effects.despawn(entity));
                        fail("reap");
                    })
                });
            })
        });
        assert_eq!(payload, "reap");
        // Spawns and `Old` were applied in earlier phases, so they survive. The despawns do not.
        let mut expected: Vec<u64> = (0..200).chain(0..67).map(|age| age + 1).collect();
        expected.sort_unstable();
        assert_eq!(ages(&world), expected);
        let mut old = 0;
        world.iter::<(&Old, &Age)>().for_each(|(_, age)| {
            assert_eq!(age.0 % 7, 0);
            old += 1;
        });
        assert_eq!(old, expected.iter().filter(|age| *age % 7 == 0).count());
        // Subscriptions agree with that: the next step reaps these entities.
        world.step(|step| step.execute_systems_from::<(Reap,)>()).unwrap();
        expected.retain(|age| age % 7 != 0);
        assert_eq!(ages(&world), expected);
    }
}

#[test]
fn spawns_lost_in_a_phase_are_reported_at_the_end() {
    let mut world = town::<Config<Fixed<210>, Allow, AtomicCounter>>(Threads::Inline);
    let lost = world.tick().unwrap_err();
    assert_eq!(lost, StepError::LimitReached { limit: 210, lost: 57 });
    assert_eq!(world.step(|_| ()), Ok(()));
}

/// The places of all entities, as the last phase sees them.
fn places<S: ecs_core::settings::Settings>(step: &mut ecs_core::Step<'_, Town, S>) -> Vec<Place> {
    let places = Mutex::new(Vec::new());
    step.execute_with(|systems| {
        systems.from::<(Count,)>().for_subtasks::<Count>(|_, data| {
            places.lock().unwrap().extend(data.own.query::<Place>());
        })
    });
    places.into_inner().unwrap()
}

#[test]
fn a_refresh_without_anything_to_do_is_left_out() {
    let mut world = town::<Config<Dynamic<16>, Allow, AtomicCounter>>(Threads::Inline);
    // As many entities are spawned as despawned, so their rows stay free in this step. The refresh of the
    // next step closes the gaps.
    let before = world
        .step(|step| {
            for entity in living(step).into_iter().take(50) {
                step.despawn(entity);
                step.spawn((Age(1),));
            }
            places(step)
        })
        .unwrap();
    assert_eq!(before.len(), 200);
    let after = world.step(|step| (places(step), places(step))).unwrap();
    assert_eq!((&before, &before), (&after.0, &after.1), "no entity has moved");
    let moved = world.step(places).unwrap();
    assert!(moved < before, "the step's own refresh has closed them");
}

fn living<S: ecs_core::settings::Settings>(step: &mut ecs_core::Step<'_, Town, S>) -> Vec<Entity> {
    let mut living = Vec::new();
    step.execute_systems_from::<(Count,)>();
    step.output_parts_of::<Count>().for_each(|out| living.extend(out.iter().map(|e| e.0)));
    living
}
