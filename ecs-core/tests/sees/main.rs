//! `sees`: which effects a system finds applied, under each rule of the world, on any threads.

#[path = "../world/support.rs"]
#[expect(dead_code, reason = "other tests use the rest")]
mod support;

use ecs_core::description::{Description, EdgeKind, List};
use ecs_core::signature::Phases;
use ecs_core::{Data, Entity, StateHash, Threads, World, world};

use support::{caught, every_kind, fail, three};

#[derive(Clone, StateHash)]
struct Life(u32);

#[derive(Clone, StateHash)]
struct Old;

#[derive(Clone, Debug, Default, PartialEq, StateHash)]
struct Counts(Vec<usize>);

#[derive(Clone, Default, StateHash)]
struct Panics(bool);

/// Declares a world in which `Age` has all effects, and each later system sees some of them.
macro_rules! town {
    ($module:ident $World:ident: $rule:ident) => {
        mod $module {
            use super::*;

            world! {
                pub(super) world $World { staged_changes: $rule }
                component Life;
                component Old: empty;
                resource Counts;
                resource Panics;
                system Age {
                    write: [Life],
                    parallelism: split_every(64),
                    despawn,
                    insert: [Old],
                    spawn: [(Life,)],
                    run: age,
                }
                // Not ordered with `Seen`, and in the first phase.
                system Look {
                    with: [Life],
                    write_resources: [Panics],
                    run: |data| {
                        let count = data.own.all_entity_count();
                        if data.resources.get_mut::<Panics>().0 {
                            fail(if count == 300 { "before" } else { "after" });
                        }
                    },
                }
                #[allow(unused_right)]
                system Seen {
                    read: [Life],
                    write_resources: [Counts],
                    sees: [Age.despawn],
                    run: |data| {
                        let count = data.own.all_entity_count();
                        data.resources.get_mut::<Counts>().0.push(count);
                    },
                }
                // In the phase of `Seen`, because it runs after it.
                system Marked {
                    with: [Old],
                    write_resources: [Counts],
                    dependencies: [Seen],
                    run: |data| {
                        let count = data.own.all_entity_count();
                        data.resources.get_mut::<Counts>().0.push(count);
                    },
                }
            }

            fn age(data: &mut Data<'_, $World, Age>) {
                data.own.for_entities(|e| {
                    e.life.0 += 1;
                    match e.life.0 % 3 {
                        0 => data.effects.despawn(e.entity),
                        1 => data.effects.insert(e.entity, Old),
                        _ => data.effects.spawn((Life(0),)),
                    }
                });
            }
        }
    };
}

town! { by_default Plain: after_step }
town! { denying Strict: deny }

/// A world with 300 entities.
macro_rules! populated {
    ($World:ty, $threads:expr) => {{
        let mut world = World::<$World>::on($threads);
        world.spawn_batch((0..300).map(|life| (Life(life),)));
        world
    }};
}

/// After one step from 300 entities: 100 were despawned, 100 marked, 100 spawned.
macro_rules! check {
    ($World:ty) => {{
        let mut hash = None;
        for threads in every_kind() {
            let mut world = populated!($World, threads);
            world.tick().unwrap();
            assert_eq!(world.resource::<Counts>().0, [300, 100]);
            for _ in 0..5 {
                world.tick().unwrap();
            }
            assert_eq!(*hash.get_or_insert(world.state_hash()), world.state_hash());
        }
        hash
    }};
}

#[test]
fn a_refresh_comes_between_under_any_rule() {
    assert_eq!(check!(by_default::Plain), check!(denying::Strict));
}

#[test]
fn phases_and_descriptions_show_it() {
    const PHASES: Phases = Phases::of::<by_default::Plain>();
    assert_eq!(PHASES.count(), 2);
    assert!(!PHASES.begins_with_refresh(0) && PHASES.begins_with_refresh(1));
    let world = Description::of::<by_default::Plain>();
    let phases: Vec<_> = world.systems().iter().map(|one| (one.name(), one.phase())).collect();
    assert_eq!(phases, [("Age", 0), ("Look", 0), ("Seen", 1), ("Marked", 1)]);
    assert_eq!(world.system("Seen").unwrap().list(List::Sees), ["Age"]);
    let sees = world.edges().iter().find(|edge| edge.kind() == EdgeKind::Sees).unwrap();
    assert_eq!((sees.from(), sees.to()), (0, 2));
}

#[test]
fn a_part_of_the_systems_begins_with_a_refresh_only_if_its_phase_does() {
    for threads in [Threads::Inline, three()] {
        let mut world = populated!(by_default::Plain, threads);
        world
            .step(|step| {
                let first = step.spawn((Life(7),));
                step.execute_systems_from::<(by_default::Seen,)>();
                step.despawn(first);
                assert_eq!(step.resource::<Counts>().0, [301, 0], "the spawn has been applied");
            })
            .unwrap();
        world
            .step(|step| {
                step.spawn((Life(7),));
                step.execute_systems();
                // `Age` was not subscribed to the new one, so it is not despawned.
                assert_eq!(step.resource::<Counts>().0[2..], [301, 100]);
            })
            .unwrap();
    }
}

#[test]
fn a_panic_before_the_refresh_drops_what_is_seen() {
    for threads in every_kind() {
        let mut world = populated!(by_default::Plain, threads);
        world.resource_mut::<Panics>().0 = true;
        assert_eq!(caught(|| world.tick()), "before");
        assert_eq!(world.resource::<Counts>().0, [0; 0]);
        assert_eq!(world.entity_count(), 300);
        world.resource_mut::<Panics>().0 = false;
        world.tick().unwrap();
        assert_eq!(world.entity_count(), world.resource::<Counts>().0[0]);
    }
}

#[derive(Default, Debug, PartialEq)]
struct Log(Vec<(&'static str, usize)>);

fn note(log: &mut Log, name: &'static str, count: usize) {
    log.0.push((name, count));
}

// Each effect by itself, and a chain of refreshes, beside a sequential system and stages.
world! {
    world Chain {}
    component Life;
    component Old: empty;
    resource Log;
    stages Early -> Late;
    system Make { stage: Early, spawn: [(Life,)], run: |data| data.effects.spawn((Life(3),)) }
    #[allow(unused_right)]
    system Found {
        stage: Early,
        read: [Life],
        sees: [Make.spawn],
        insert: [Old],
        write_resources: [Log],
        run: |data| {
            let mut count = 0;
            data.own.for_entities(|e| {
                data.effects.insert(e.entity, Old);
                count += 1;
            });
            note(data.resources.get_mut(), "found", count);
        },
    }
    system Grow {
        stage: Late,
        sees: [Found.insert],
        update: [Life],
        with: [Old],
        each: |e, effects| effects.update(e.entity, Life(e.life.0 * 2)),
    }
    system Read {
        stage: Late,
        read: [Life],
        sees: [Grow.update],
        remove: [Old],
        defer,
        write_resources: [Log],
        run: |data| {
            let mut sum = 0;
            data.own.for_entities(|e| {
                data.effects.remove::<Old>(e.entity);
                sum += e.life.0 as usize;
            });
            data.effects.defer(|world| note(world.resource_mut(), "deferred", 0));
            note(data.resources.get_mut(), "sum", sum);
        },
    }
    system Alone {
        stage: Late,
        sequential,
        with: [Old],
        sees: [Read.remove, Read.defer],
        write_resources: [Log],
        run: |data| {
            let count = data.own.all_entity_count();
            note(data.resources.get_mut(), "alone", count);
        },
    }
}

#[test]
fn each_effect_is_seen() {
    const PHASES: Phases = Phases::of::<Chain>();
    // The end of `Late` comes after the sequential system.
    assert_eq!(PHASES.count(), 6);
    for threads in every_kind() {
        let mut world = World::<Chain>::on(threads);
        world.tick().unwrap();
        assert_eq!(
            world.resource::<Log>().0,
            [("found", 1), ("sum", 6), ("deferred", 0), ("alone", 0)]
        );
        let mut all: Vec<Entity> = Vec::new();
        world.iter::<Entity>().for_each(|entity| all.push(entity));
        assert_eq!(all.len(), 1);
    }
}
