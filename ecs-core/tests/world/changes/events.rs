//! Refresh events: which are reported, in which order, and the effect of a panic.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use ecs_core::events::Events;
use ecs_core::{Data, Entity, System, World, world};

use crate::support::{every_kind, three};

#[derive(Clone, Copy, Debug, PartialEq)]
struct Mass(u64);

struct Fixed;

world! {
    world Yard;
    component Mass: contiguous_buffer;
    component Fixed: contiguous_buffer;
    resource Weight;
    system Free { read: [Mass], without: [Fixed], parallelism: split_every(64), despawn }
    system Held { read: [Mass], with: [Fixed], defer }
}

#[derive(Default)]
struct Weight(u64);

/// Despawns entities that are too heavy.
#[derive(Default)]
struct Free {
    count: usize,
}

impl System<Yard> for Free {
    fn process(&self, data: &mut Data<'_, Yard, Self>) {
        let (own, effects) = (&mut data.own, &mut data.effects);
        own.for_entities(|e| {
            if e.mass.0 > 1_000 {
                effects.despawn(e.entity);
            }
        });
    }
}

#[derive(Default)]
struct Held;

impl System<Yard> for Held {
    fn process(&self, data: &mut Data<'_, Yard, Self>) {
        let (own, effects) = (&mut data.own, &mut data.effects);
        own.for_entities(|e| {
            let entity = e.entity;
            if e.mass.0 % 7 == 0 {
                effects.defer(move |defer| {
                    defer.remove::<Fixed>(entity);
                });
            }
        });
    }
}

/// The reported events, as `+free`, `-free`, `+held`, `-held`, `reclaimed`.
type Told = RefCell<Vec<(&'static str, Entity)>>;

fn tell(told: &Told) -> Events<Yard, impl ecs_core::events::Handlers<Yard>> {
    let note = |what| move |entity| told.borrow_mut().push((what, entity));
    let [sub_free, unsub_free, sub_held, unsub_held, reclaimed] =
        ["+free", "-free", "+held", "-held", "reclaimed"].map(note);
    Events::new()
        .on_subscribe::<Held>(move |event| sub_held(event.entity()))
        .on_subscribe::<Free>(move |event| sub_free(event.entity()))
        .on_reclaim(move |event| {
            assert!(!event.is_alive());
            reclaimed(event.entity());
        })
        .on_unsubscribe::<Free>(move |event| unsub_free(event.entity()))
        .on_unsubscribe::<Held>(move |event| unsub_held(event.entity()))
}

#[test]
fn events_come_by_kind_by_system_and_by_row() {
    for threads in every_kind() {
        let mut world = World::<Yard>::on(threads);
        let told = Told::default();
        let [a, b, c, d] = world
            .step_with(tell(&told), |step| {
                let made = [1, 2, 3, 4].map(|mass| step.spawn((Mass(mass),)));
                step.insert(made[1], Fixed).unwrap();
                let short = step.spawn((Mass(9),));
                step.despawn(short);
                made
            })
            .unwrap();
        let first = told.take();
        let short = first[0].1;
        assert_eq!(
            first,
            [("reclaimed", short), ("+free", a), ("+free", c), ("+free", d), ("+held", b)],
            "an entity that is despawned at once was never subscribed"
        );
        // `a` is despawned, so that `d` moves into its row; `b` is freed; `c` is held.
        world
            .step_with(tell(&told), |step| {
                step.despawn(a);
                step.remove::<Fixed>(b);
                step.insert(c, Fixed).unwrap();
            })
            .unwrap();
        assert_eq!(
            told.take(),
            [
                ("-free", a),
                ("-free", c),
                ("-held", b),
                ("reclaimed", a),
                ("+free", b),
                ("+held", c)
            ]
        );
        // No change, and then a step without handlers.
        world.step_with(tell(&told), |_| {}).unwrap();
        world.step(|step| step.despawn(d)).unwrap();
        world.step_with(tell(&told), |_| {}).unwrap();
        assert_eq!(told.take(), []);
    }
}

#[test]
fn what_comes_back_before_the_refresh_was_never_away() {
    let mut world = World::<Yard>::on(three());
    let told = Told::default();
    let make = |mass| move |step: &mut ecs_core::Step<'_, Yard, _>| step.spawn((Mass(mass),));
    let kept = world.step(make(1)).unwrap();
    let lost = world.step(make(2)).unwrap();
    world
        .step_with(tell(&told), |step| {
            for entity in [kept, lost] {
                step.remove::<Mass>(entity);
            }
            // The execution unsubscribes both.
            step.execute_systems();
            step.insert(kept, Mass(3)).unwrap();
            step.execute_systems();
        })
        .unwrap();
    assert_eq!(told.take(), [("-free", lost)]);
}

#[test]
fn the_system_its_entity_and_resources_are_at_hand() {
    let mut world = World::<Yard>::on(three());
    let events = || {
        Events::new()
            .on_subscribe::<Free>(|event| {
                event.system_mut().count += 1;
                let mass = event.get::<Mass>().unwrap().0;
                event.resource_mut::<Weight>().0 += mass;
                event.get_mut::<Mass>().unwrap().0 += 100;
                assert!(event.is_alive() && event.get::<Fixed>().is_none());
            })
            .on_unsubscribe::<Free>(|event| {
                event.system_mut().count -= 1;
                assert!(event.get_mut::<Mass>().is_none() && event.get::<Mass>().is_none());
            })
            .on_reclaim(|event| event.resource_mut::<Weight>().0 = 0)
    };
    let entity = world.step_with(events(), |step| step.spawn((Mass(5),))).unwrap();
    assert_eq!((world.system::<Free>().count, world.resource::<Weight>().0), (1, 5));
    assert_eq!(world.get::<Mass>(entity), Some(&Mass(105)));
    world.step_with(events(), |step| step.despawn(entity)).unwrap();
    assert_eq!((world.system::<Free>().count, world.resource::<Weight>().0), (0, 0));
}

/// The entities that `Free` and `Held` match, found by testing every entity.
fn matched(world: &World<Yard>) -> [BTreeSet<Entity>; 3] {
    let mut sets = [const { BTreeSet::new() }; 3];
    world.iter::<Entity>().for_each(|entity| {
        sets[2].insert(entity);
        if world.get::<Mass>(entity).is_some() {
            sets[usize::from(world.get::<Fixed>(entity).is_some())].insert(entity);
        }
    });
    sets
}

#[test]
fn events_are_the_differences_between_refreshes() {
    for threads in every_kind() {
        let mut world = World::<Yard>::on(threads);
        let told = Told::default();
        let mut seed = 1_u64;
        let mut random = |below: u64| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        let mut happened = 0;
        for _ in 0..60 {
            let before = matched(&world);
            let all: Vec<Entity> = before[2].iter().copied().collect();
            world
                .step_with(tell(&told), |step| {
                    for _ in 0..random(40) {
                        step.spawn((Mass(random(1_100)),));
                    }
                    for round in 0..2 {
                        for &entity in &all {
                            match random(12) {
                                0 => {
                                    let _ = step.remove::<Mass>(entity);
                                }
                                1 => {
                                    let _ = step.insert(entity, Mass(random(1_100)));
                                }
                                2 => {
                                    let _ = step.remove::<Fixed>(entity);
                                }
                                3 => {
                                    let _ = step.insert(entity, Fixed);
                                }
                                4 if random(4) == 0 => step.despawn(entity),
                                _ => {}
                            }
                        }
                        if round == 0 {
                            step.execute_systems();
                        }
                    }
                })
                .unwrap();
            let after = matched(&world);
            let events = told.take();
            happened += events.len();
            let of = |what| {
                let found: Vec<Entity> =
                    events.iter().filter(|(kind, _)| *kind == what).map(|(_, e)| *e).collect();
                let set: BTreeSet<Entity> = found.iter().copied().collect();
                assert_eq!(set.len(), found.len(), "each once");
                set
            };
            for (index, (came, left)) in
                [("+free", "-free"), ("+held", "-held")].into_iter().enumerate()
            {
                assert_eq!(of(came), &after[index] - &before[index]);
                assert_eq!(of(left), &before[index] - &after[index]);
            }
            assert!(of("reclaimed").is_superset(&(&before[2] - &after[2])));
            assert!(of("reclaimed").is_disjoint(&after[2]));
        }
        assert!(happened > 1_000, "{happened} events");
    }
}

#[test]
fn a_panic_in_an_event_leaves_the_world_consistent() {
    let mut world = World::<Yard>::on(three());
    let told = RefCell::new(Vec::new());
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        world.step_with(
            Events::new().on_subscribe::<Free>(|event| {
                told.borrow_mut().push(event.get::<Mass>().unwrap().0);
                assert!(event.get::<Mass>() != Some(&Mass(2)), "no twos");
            }),
            |step| [1, 2, 3].map(|mass| step.spawn((Mass(mass),))),
        )
    }));
    assert!(outcome.is_err());
    assert_eq!(told.take(), [1, 2], "none after the panic");
    assert_eq!(world.entity_count(), 3);
    // The refresh was complete: none of its events is reported again, and systems see all three entities.
    let told = Told::default();
    world
        .step_with(tell(&told), |step| {
            step.execute_with(|systems| {
                systems.for_subtasks::<Free>(|_, data| assert_eq!(data.own.all_entity_count(), 3))
            });
        })
        .unwrap();
    assert_eq!(told.take(), []);
}

#[test]
fn a_step_that_panics_reports_the_events_of_its_changes() {
    let mut world = World::<Yard>::on(three());
    let told = Told::default();
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        world.step_with(tell(&told), |step| {
            step.spawn((Mass(1),));
            panic!("aborted");
        })
    }));
    assert_eq!(outcome.unwrap_err().downcast_ref(), Some(&"aborted"));
    let events: Vec<&str> = told.take().into_iter().map(|(what, _)| what).collect();
    assert_eq!(events, ["+free"]);
}

mod phases {
    use super::{Events, World, every_kind, world};
    use ecs_core::{Data, System};

    struct Seed;

    struct Plant(u32);

    world! {
        world Garden { staged_changes: refresh_before_dependents }
        component Seed: contiguous_buffer;
        component Plant: contiguous_buffer;
        resource Seen;
        system Sow { with: [Seed], despawn, spawn: [(Plant,)], parallelism: split_every(64) }
        system Water { dependencies: [Sow], read: [Plant], write_resources: [Seen] }
    }

    #[derive(Default)]
    struct Seen(Vec<u32>);

    #[derive(Default)]
    struct Sow;

    impl System<Garden> for Sow {
        fn process(&self, data: &mut Data<'_, Garden, Self>) {
            let (own, effects) = (&mut data.own, &mut data.effects);
            own.query::<ecs_core::Entity>().for_each(|seed| {
                effects.despawn(seed);
                effects.spawn((Plant(0),));
            });
        }
    }

    #[derive(Default)]
    struct Water {
        subscribed: u32,
    }

    impl System<Garden> for Water {
        fn process(&self, data: &mut Data<'_, Garden, Self>) {
            let seen = data.resources.get_mut::<Seen>();
            data.own.for_entities(|e| seen.0.push(e.plant.0));
        }
    }

    #[test]
    fn each_refresh_in_mid_step_reports_before_the_next_phase() {
        for threads in every_kind() {
            let mut world = World::<Garden>::on(threads);
            let mut reclaimed = 0;
            world.step(|step| [(); 3].map(|()| step.spawn((Seed,)))).unwrap();
            world
                .step_with(
                    Events::new().on_reclaim(|_| reclaimed += 1).on_subscribe::<Water>(|event| {
                        event.system_mut().subscribed += 1;
                        let number = event.system().subscribed;
                        event.get_mut::<Plant>().unwrap().0 = number;
                    }),
                    |step| {
                        step.execute_systems();
                        assert_eq!(step.resource::<Seen>().0, [1, 2, 3], "told before `Water` ran");
                        step.spawn((Plant(0),));
                    },
                )
                .unwrap();
            assert_eq!((reclaimed, world.system::<Water>().subscribed), (3, 4));
        }
    }
}
