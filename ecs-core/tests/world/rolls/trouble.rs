//! Full limits, panics, events, opt-in subscriptions, and staged changes of despawned entities.

use std::cell::RefCell;
use std::sync::Mutex;

use ecs_core::events::Events;
use ecs_core::settings::{Allow, AtomicCounter, Config, Fixed};
use ecs_core::{Data, Entity, Step, StepError, System, Threads, World, world};

use super::{Act, Field, Held, Mark, Number, Tag, Weight, act, field, visited};
use crate::support::{Ledger, caught, fail};

type Small = World<Field, Config<Fixed<4>, Allow, AtomicCounter>>;

#[test]
fn a_full_limit_is_an_error_of_the_step() {
    let mut world = Small::on(Threads::Inline);
    let ledger = Ledger::default();
    world.spawn_batch((0..3).map(|n| (Number(n),))).unwrap();
    let body = |data: &mut Data<'_, Field, Act>| {
        let mut now = data.now();
        let last = now.spawn((Number(3),));
        assert!(now.is_alive(last));
        let never = now.spawn((Number(4), Held(ledger.make())));
        now.despawn(last);
        assert!(!now.is_alive(never));
        assert_eq!(now.remaining_capacity(), 0, "despawned entities count until the refresh");
        assert_eq!(now.spawn_batch([(Number(5),), (Number(6),)]).len(), 0);
    };
    for _ in 0..2 {
        let run = |step: &mut Step<'_, _, _>| {
            step.execute_with(|systems| systems.for_subtasks::<Act>(|_, data| body(data)));
        };
        assert_eq!(world.step(run), Err(StepError::LimitReached { limit: 4, lost: 3 }));
        assert_eq!((world.entity_count(), ledger.living()), (3, 0));
    }
    // A panic takes the error of its step along.
    caught(|| {
        world.step(|step| {
            step.execute_with(|systems| systems.for_subtasks::<Act>(|_, data| body(data)));
            fail("after the roll");
        })
    });
    assert_eq!(world.step(|_| ()), Ok(()));
}

#[test]
fn a_panic_undoes_nothing_and_leaves_the_world_consistent() {
    let ledger = Ledger::default();
    let (mut world, entities) = field(100);
    let panicked = caught(|| {
        act(&mut world, |data| {
            data.roll(|mut found| {
                let (own, number) = (found.entity(), found.entry().number.0);
                let now = &mut found.now();
                match number {
                    1 => now.despawn(entities[2]),
                    3 => drop(now.insert(own, Held(ledger.make()))),
                    4 => drop(now.spawn((Number(100), Held(ledger.make())))),
                    5 => fail("in the body"),
                    _ => assert!(number < 5),
                }
            });
        });
    });
    assert_eq!(panicked, "in the body");
    assert_eq!((world.entity_count(), ledger.living()), (100, 2));
    assert!(!world.is_alive(entities[2]));
    assert!(world.get::<Held>(entities[3]).is_some());
    let all: Vec<u64> = (0..101).filter(|n| *n != 2).collect();
    let mut met = visited(&mut world, |_, _, _| ());
    met.sort_unstable();
    assert_eq!(met, all);
    drop(world);
    assert_eq!(ledger.living(), 0);
}

#[test]
fn a_destructor_that_panics_prevents_no_despawn() {
    let ledger = Ledger::default();
    let (mut world, entities) = field(10);
    world.step(|step| drop(step.insert(entities[4], Held(ledger.bomb())))).unwrap();
    let panicked = caught(|| {
        act(&mut world, |data| {
            let mut now = data.now();
            assert_eq!(caught(|| now.despawn(entities[4])), "bomb");
            // The entity is despawned all the same.
            assert!(!now.is_alive(entities[4]));
            assert_eq!(now.query::<Entity>().count(), 9);
            assert_eq!(now.read_any::<Weight>().get(entities[4]), None);
            now.insert(entities[5], Held(ledger.bomb()));
            drop(now.insert(entities[5], Held(ledger.make())));
        });
    });
    assert_eq!(panicked, "bomb");
    assert_eq!((world.entity_count(), ledger.living()), (9, 1));
}

#[test]
fn a_panic_that_the_step_survives_leaves_what_has_happened_to_the_next_execution() {
    let (mut world, entities) = field(70);
    world
        .step(|step| {
            let first = caught(|| {
                step.execute_with(|systems| {
                    systems.for_subtasks::<Act>(|_, data| {
                        data.now().despawn(entities[69]);
                        fail("early");
                    })
                });
            });
            assert_eq!(first, "early");
            assert!(!step.is_alive(entities[69]));
            let spawned = step.spawn((Number(500),));
            assert_ne!(spawned.index(), entities[69].index());
            step.execute_with(|systems| {
                systems.for_subtasks::<Act>(|_, data| {
                    assert_eq!(
                        data.own.all_entity_count(),
                        69,
                        "despawned entities are unsubscribed"
                    );
                    let mut now = data.now();
                    assert_eq!(now.query::<Entity>().count(), 69);
                    now.despawn(spawned);
                })
            });
            assert_eq!(step.entity_count(), 69);
        })
        .unwrap();
    assert_eq!(world.entity_count(), 69);
}

#[test]
fn events_report_immediate_changes() {
    let (mut world, entities) = field(5);
    let log = RefCell::new(Vec::new());
    let note = |what, entity| log.borrow_mut().push((what, entity));
    let events = Events::new()
        .on_subscribe::<Act>(|event| note("came", event.entity()))
        .on_unsubscribe::<Act>(|event| note("left", event.entity()))
        .on_reclaim(|event| note("reclaimed", event.entity()));
    let spawned = Mutex::new(None);
    world
        .step_with(events, |step| {
            step.execute_with(|systems| {
                systems.for_subtasks::<Act>(|_, data| {
                    let mut now = data.now();
                    now.despawn(entities[1]);
                    now.insert(entities[2], Tag);
                    let both = now.spawn((Number(7),));
                    now.despawn(both);
                    *spawned.lock().unwrap() = Some((both, now.spawn((Number(8),))));
                })
            });
        })
        .unwrap();
    let (both, spawned) = spawned.lock().unwrap().unwrap();
    let expected = [
        ("left", entities[1]),
        ("left", entities[2]),
        ("reclaimed", entities[1]),
        ("reclaimed", both),
        ("came", spawned),
    ];
    assert_eq!(*log.borrow(), expected);
}

world! {
    world Mixed { entity_limit: dynamic(16) }
    component Number: contiguous_buffer;
    component Mark: hash_map;
    component Held: contiguous_buffer;

    system Stage { read: [Number], insert: [Mark, Held], remove: [Number], despawn }
    system Choose { sequential, opt_in, dependencies: [Stage], write: [Number], despawn, insert: [Mark] }
    system See { dependencies: [Choose], read: [Number], output: Vec<u64> }
}

#[derive(Default)]
struct Stage(Ledger);
#[derive(Default)]
struct Choose;
#[derive(Default)]
struct See;

impl System<Mixed> for Stage {
    fn process(&self, data: &mut Data<'_, Mixed, Self>) {
        let (own, effects) = (&mut data.own, &mut data.effects);
        own.for_entities(|e| {
            effects.insert(e.entity, Mark(e.number.0));
            effects.insert(e.entity, Held(self.0.make()));
            if e.number.0 == 1 {
                effects.despawn(e.entity);
            }
            if e.number.0 == 2 {
                effects.remove::<Number>(e.entity);
            }
        });
    }
}

impl System<Mixed> for Choose {
    fn process(&self, data: &mut Data<'_, Mixed, Self>) {
        data.roll(|mut found| {
            let own = found.entity();
            found.get::<&mut Number>().0 += 100;
            let now = &mut found.now();
            now.insert(own, Mark(0));
            now.despawn(own);
            assert!(!now.is_alive(own));
        });
    }
}

impl System<Mixed> for See {
    fn process(&self, data: &mut Data<'_, Mixed, Self>) {
        let (own, effects) = (&mut data.own, &mut data.effects);
        own.for_entities(|e| effects.output().push(e.number.0));
    }
}

#[test]
fn changes_staged_for_despawned_entities_are_dropped_once() {
    let mut world = World::<Mixed>::on(Threads::Inline);
    let ledger = world.system::<Stage>().0.clone();
    let entities: Vec<Entity> = world
        .step(|step| {
            let all: Vec<_> = (0..6).map(|n| step.spawn((Number(n),))).collect();
            for &entity in &all[..4] {
                step.subscribe::<Choose>(entity).unwrap();
            }
            all
        })
        .unwrap();
    world.tick().unwrap();
    let alive: Vec<bool> = entities.iter().map(|&entity| world.is_alive(entity)).collect();
    assert_eq!(alive, [false, false, false, false, true, true]);
    assert_eq!((ledger.made(), ledger.living()), (6, 2));
    assert_eq!(world.get::<Mark>(entities[4]), Some(&Mark(4)));
    let seen: Vec<u64> =
        world.step(|step| step.outputs_of::<See>().flatten().copied().collect()).unwrap();
    assert_eq!(seen, [4, 5]);
    // No other entity has taken over the old handles.
    world.spawn_batch((0..6).map(|n| (Number(n),)));
    assert!(entities[..4].iter().all(|&entity| !world.is_alive(entity)));
    assert_eq!(world.entity_count(), 8);
}
