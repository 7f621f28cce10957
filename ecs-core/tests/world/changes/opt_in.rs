//! Opt-in systems: they are subscribed to entities that request it, as long as these have the required
//! components.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use ecs_core::events::Events;
use ecs_core::{Data, Entity, System, World, world};

use crate::support::{every_kind, three};

#[derive(Clone, Copy, Debug, PartialEq)]
struct Health(u64);

struct Away;

world! {
    world Ward;
    component Health: contiguous_buffer;
    component Away: contiguous_buffer;
    system Watch { opt_in, read: [Health], without: [Away], output: Vec<Entity>, parallelism: split_every(64) }
    system Call { opt_in, dependencies: [Watch], output: Vec<Entity>, defer }
}

#[derive(Default)]
struct Watch;

impl System<Ward> for Watch {
    fn process(&self, data: &mut Data<'_, Ward, Self>) {
        let Data { own, effects, .. } = data;
        own.for_entities(|e| effects.output().push(e.entity));
    }
}

/// Puts out each of its entities, and unsubscribes from it.
#[derive(Default)]
struct Call;

impl System<Ward> for Call {
    fn process(&self, data: &mut Data<'_, Ward, Self>) {
        let Data { own, effects, .. } = data;
        own.for_entities(|e| {
            let entity = e.entity;
            effects.output().push(entity);
            effects.defer(move |defer| defer.unsubscribe::<Self>(entity).unwrap());
        });
    }
}

/// The entities that `Watch` and `Call` meet.
fn met(world: &mut World<Ward>) -> [Vec<Entity>; 2] {
    let mut met = [const { Vec::new() }; 2];
    world
        .step(|step| {
            step.execute_systems();
            step.output_parts_of::<Watch>().for_each(|entities| met[0].extend(entities));
            step.output_parts_of::<Call>().for_each(|entities| met[1].extend(entities));
        })
        .unwrap();
    met
}

fn patients<const N: usize>(world: &mut World<Ward>) -> [Entity; N] {
    world.step(|step| [(); N].map(|()| step.spawn((Health(1),)))).unwrap()
}

#[test]
fn only_entities_with_a_request_are_subscribed() {
    for threads in every_kind() {
        let mut world = World::on(threads);
        let [a, b, c] = patients(&mut world);
        assert_eq!(met(&mut world), [[], []]);
        world
            .step(|step| {
                step.subscribe::<Watch>(c).unwrap();
                step.subscribe::<Watch>(a).unwrap();
                step.subscribe::<Call>(b).unwrap();
                assert!(!step.is_subscribed::<Watch>(a), "from the refresh on");
                step.execute_systems();
                step.output_parts_of::<Watch>().for_each(|entities| assert_eq!(*entities, []));
            })
            .unwrap();
        world.step(|step| assert!(step.is_subscribed::<Watch>(a))).unwrap();
        assert_eq!(met(&mut world), [vec![a, c], vec![b]]);
        assert_eq!(
            met(&mut world),
            [vec![a, c], vec![]],
            "it was unsubscribed by a deferred function"
        );
        world
            .step(|step| {
                step.unsubscribe::<Watch>(a).unwrap();
                step.unsubscribe::<Watch>(c).unwrap();
                step.subscribe::<Watch>(c).unwrap();
            })
            .unwrap();
        assert_eq!(met(&mut world)[0], [c], "the last call counts");
    }
}

#[test]
fn an_entity_that_stopped_matching_must_subscribe_again() {
    let mut world = World::on(three());
    let [a, b] = patients(&mut world);
    world
        .step(|step| {
            step.insert(b, Away).unwrap();
            [a, b].map(|entity| step.subscribe::<Watch>(entity).unwrap())
        })
        .unwrap();
    assert_eq!(met(&mut world)[0], [a], "`b` does not match, so its request is void");
    world.step(|step| step.remove::<Away>(b).map(drop)).unwrap();
    assert_eq!(met(&mut world)[0], [a]);
    world.step(|step| step.remove::<Health>(a)).unwrap();
    world.step(|step| step.insert(a, Health(2)).unwrap()).unwrap();
    assert_eq!(met(&mut world)[0], []);
    world.step(|step| step.subscribe::<Watch>(a).unwrap()).unwrap();
    assert_eq!(met(&mut world)[0], [a]);
}

#[test]
fn despawned_entities_cannot_subscribe_and_rows_pass_on_no_subscription() {
    let mut world = World::on(three());
    let [a, b, c] = patients(&mut world);
    world.step(|step| [a, b].map(|entity| step.subscribe::<Call>(entity).unwrap())).unwrap();
    // `c` moves into the row of `a`.
    world.step(|step| step.despawn(a)).unwrap();
    assert_eq!(met(&mut world)[1], [b]);
    world
        .step(|step| {
            let error = step.subscribe::<Call>(a).unwrap_err();
            assert_eq!(error.entity, a);
            assert!(error.to_string().starts_with("`Call` cannot be subscribed to the entity"));
            step.subscribe::<Call>(c).unwrap();
            step.despawn(c);
        })
        .unwrap();
    let [new] = patients(&mut world);
    assert_eq!(met(&mut world)[1], []);
    world.step(|step| step.subscribe::<Call>(new).unwrap()).unwrap();
    assert_eq!(met(&mut world)[1], [new]);
}

#[test]
fn a_step_that_panics_grants_nothing() {
    let mut world = World::on(three());
    let [a] = patients(&mut world);
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        world.step(|step| {
            step.subscribe::<Watch>(a).unwrap();
            panic!("not today");
        })
    }));
    assert!(outcome.is_err());
    assert_eq!(met(&mut world)[0], []);
}

#[test]
fn subscriptions_follow_entities_and_events_report_them() {
    for threads in every_kind() {
        let mut world = World::<Ward>::on(threads);
        let mut seed = 7_u64;
        let mut random = |below: u64| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        let mut expected: BTreeSet<Entity> = BTreeSet::new();
        let mut changes = 0;
        for _ in 0..80 {
            let mut all = Vec::new();
            for entity in world.iter::<Entity>() {
                all.push(entity);
            }
            let mut told = expected.clone();
            let told = std::cell::RefCell::new(&mut told);
            let mut requests = Vec::new();
            world
                .step_with(
                    Events::new()
                        .on_unsubscribe::<Watch>(|event| {
                            assert!(told.borrow_mut().remove(&event.entity()));
                        })
                        .on_subscribe::<Watch>(|event| {
                            assert!(told.borrow_mut().insert(event.entity()));
                        }),
                    |step| {
                        for _ in 0..random(30) {
                            step.spawn((Health(1),));
                        }
                        for &entity in &all {
                            match random(16) {
                                0 | 1 => requests.push((entity, true)),
                                2 => requests.push((entity, false)),
                                3 => {
                                    let _ = step.insert(entity, Away);
                                }
                                4 | 5 => {
                                    let _ = step.remove::<Away>(entity);
                                }
                                6 => step.despawn(entity),
                                _ => {}
                            }
                        }
                        for &(entity, subscribe) in &requests {
                            if subscribe {
                                step.subscribe::<Watch>(entity).unwrap();
                            } else {
                                step.unsubscribe::<Watch>(entity).unwrap();
                            }
                        }
                    },
                )
                .unwrap();
            for (entity, subscribe) in requests {
                if subscribe {
                    expected.insert(entity);
                } else {
                    expected.remove(&entity);
                }
            }
            expected.retain(|&entity| {
                world.get::<Health>(entity).is_some() && world.get::<Away>(entity).is_none()
            });
            changes += expected.len();
            assert_eq!(**told.borrow(), expected);
            let found = met(&mut world)[0].clone();
            assert_eq!(found.iter().copied().collect::<BTreeSet<_>>(), expected);
            assert_eq!(found.len(), expected.len());
        }
        assert!(changes > 500, "{changes}");
    }
}
