//! A spawn batch that exceeds the limit or panics spawns nothing, and loses no value.

use ecs_core::settings::{Allow, AtomicCounter, Config, Fixed};
use ecs_core::{Bundle, BundleSink, Entity, StepError, Threads, World, world};

use super::Hinted;
use crate::support::{Counted, Ledger, caught, fail};

struct Load(#[expect(dead_code, reason = "only its drop counts")] Counted);
struct Other(#[expect(dead_code, reason = "only its drop counts")] Counted);
struct Rare(#[expect(dead_code, reason = "only its drop counts")] Counted);
#[derive(Clone, Copy, Debug, PartialEq)]
struct Number(usize);

world! {
    world Crib { entity_limit: fixed(300) }
    component Number: contiguous_buffer;
    component (Load, Other): contiguous_buffer;
    component Rare: hash_map;
}

/// A bundle of two loads and a number. It panics in between if `fails` is set.
struct Broken<'a> {
    ledger: &'a Ledger,
    fails: bool,
}

impl Bundle<Crib> for Broken<'_> {
    fn put(self, sink: &mut BundleSink<'_, Crib>) {
        sink.put(Rare(self.ledger.make()));
        sink.put(Load(self.ledger.make()));
        if self.fails {
            fail("broken");
        }
        sink.put(Number(0));
    }
}

type Large = Config<Fixed<100_000>, Allow, AtomicCounter>;

/// A world that spawned 100 entities, a third of which is despawned.
fn used<S: ecs_core::settings::Settings>(ledger: &Ledger) -> World<Crib, S> {
    let mut world = World::<Crib, S>::on(Threads::Inline);
    let loads = (0..100).map(|n| (Number(n), Load(ledger.make())));
    let all: Vec<Entity> = world.step(|step| step.spawn_batch(loads).collect()).unwrap();
    world.step(|step| all.iter().step_by(3).for_each(|&e| step.despawn(e))).unwrap();
    world
}

/// Checks that the failed batch has left no trace: the next spawns get the same handles as in a world without
/// it.
fn is_as_before<S: ecs_core::settings::Settings>(mut world: World<Crib, S>, ledger: &Ledger) {
    assert_eq!((world.entity_count(), ledger.living()), (66, 66));
    let more = |world: &mut World<Crib, S>| -> Vec<Entity> {
        world
            .step(|step| {
                let spawned: Vec<Entity> = (0..200).map(|n| step.spawn((Number(n),))).collect();
                assert!(spawned.iter().enumerate().all(|(n, &entity)| {
                    step.get::<Load>(entity).is_none() && step.get(entity) == Some(&Number(n))
                }));
                spawned
            })
            .unwrap()
    };
    assert_eq!(more(&mut world), more(&mut used(&Ledger::default())));
    assert_eq!(world.entity_count(), 266);
    drop(world);
    assert_eq!(ledger.living(), 0);
}

#[test]
fn too_many_for_the_limit() {
    let full = |lost| Err(StepError::LimitReached { limit: 300, lost });
    // The size hint suffices to fail: the iterator is not advanced.
    for count in [235, 10_000, usize::MAX] {
        let ledger = Ledger::default();
        let mut world = used::<Config<Fixed<300>, Allow, AtomicCounter>>(&ledger);
        let never = std::iter::repeat_with(|| -> (Number,) { fail("asked") });
        let stepped = world.step(|step| step.spawn_batch(never.take(count)).len());
        assert_eq!(stepped, full(count));
        is_as_before(world, &ledger);
    }
    // The failure shows during the iteration.
    for (least, most) in [(0, None), (5, None), (234, None), (0, Some(100_000))] {
        let ledger = Ledger::default();
        let mut world = used::<Config<Fixed<300>, Allow, AtomicCounter>>(&ledger);
        let loads =
            std::iter::repeat_with(|| (Load(ledger.make()), Number(7), Other(ledger.make())));
        let loads = Hinted { iter: loads, hint: (least, most) };
        // All that were drawn are lost.
        assert_eq!(world.step(|step| step.spawn_batch(loads).len()), full(235));
        assert_eq!(ledger.made(), 100 + 2 * 235);
        is_as_before(world, &ledger);

        // Bundles that are written one by one, and values in external storage.
        let ledger = Ledger::default();
        let mut world = used::<Config<Fixed<300>, Allow, AtomicCounter>>(&ledger);
        let loads = std::iter::repeat_with(|| (Load(ledger.make()), Rare(ledger.make())));
        let loads = Hinted { iter: loads, hint: (least, most) };
        assert_eq!(world.step(|step| step.spawn_batch(loads).len()), full(235));
        is_as_before(world, &ledger);
    }
}

#[test]
fn as_many_as_there_is_room_for() {
    for hint in [(234, Some(234)), (0, None)] {
        let ledger = Ledger::default();
        let mut world = used::<Config<Fixed<300>, Allow, AtomicCounter>>(&ledger);
        let loads = (0..234).map(|n| (Load(ledger.make()), Number(n)));
        let loads = Hinted { iter: loads, hint };
        let spawned: Vec<Entity> = world.step(|step| step.spawn_batch(loads).collect()).unwrap();
        assert!(spawned.iter().enumerate().all(|(n, &e)| world.get(e) == Some(&Number(n))));
        assert_eq!((world.entity_count(), ledger.living()), (300, 300));
        let full = Err(StepError::LimitReached { limit: 300, lost: 1 });
        assert_eq!(world.step(|step| step.spawn_batch([(Number(0),)]).len()), full);
        let one = || [(Number(0),)].into_iter().filter(|_| true);
        assert_eq!(world.step(|step| step.spawn_batch(one()).len()), full);
        world
            .step(|step| {
                assert_eq!(step.spawn_batch::<[(Number,); 0]>([]).next(), None);
                let none = [(Number(0),)].into_iter().filter(|_| false);
                assert_eq!(step.spawn_batch(none).len(), 0);
            })
            .unwrap();
    }
}

#[test]
fn an_iterator_that_panics() {
    for at in [0, 1, 40, 63, 64, 100, 5_000, 20_000, 39_999] {
        for hint in [(40_000, Some(40_000)), (0, None)] {
            let ledger = Ledger::default();
            let mut world = used::<Large>(&ledger);
            let load = |n| {
                let load = Load(ledger.make());
                if n == at { fail("no more") } else { (Number(n), load) }
            };
            let loads = Hinted { iter: (0..40_000).map(load), hint };
            let payload = caught(|| {
                world.step(|step| {
                    step.spawn_batch(loads);
                })
            });
            assert_eq!(payload, "no more");
            is_as_before(world, &ledger);
        }
    }
}

#[test]
fn a_panic_that_the_step_catches() {
    let ledger = Ledger::default();
    let mut world = used::<Large>(&ledger);
    let spawned = world.step(|step| {
        let load = |n| if n == 70 { fail("no more") } else { (Number(n), Load(ledger.make())) };
        let payload = caught(|| {
            step.spawn_batch((0..100).map(load));
        });
        assert_eq!((payload.as_str(), step.entity_count()), ("no more", 66));
        step.spawn_batch((0..80).map(|n| (Number(n),))).collect::<Vec<Entity>>()
    });
    assert!(spawned.unwrap().iter().enumerate().all(|(n, &e)| world.get(e) == Some(&Number(n))));
    assert_eq!((world.entity_count(), ledger.living()), (146, 66));
}

#[test]
fn a_bundle_that_panics() {
    let ledger = Ledger::default();
    let mut world = used::<Large>(&ledger);
    let bundles = (0..200).map(|n| Broken { ledger: &ledger, fails: n == 150 });
    assert_eq!(
        caught(|| world.step(|step| {
            step.spawn_batch(bundles);
        })),
        "broken"
    );
    is_as_before(world, &ledger);
}

#[test]
fn destructors_that_panic_keep_no_other_from_running() {
    let ledger = Ledger::default();
    let mut world = used::<Config<Fixed<300>, Allow, AtomicCounter>>(&ledger);
    let loads = std::iter::repeat_with(|| (Load(ledger.bomb()), Other(ledger.make())));
    let loads = Hinted { iter: loads, hint: (0, None) };
    // The bundle that exceeds the limit is the first to be dropped.
    assert_eq!(
        caught(|| world.step(|step| {
            step.spawn_batch(loads);
        })),
        "bomb"
    );
    is_as_before(world, &ledger);
    let ledger = Ledger::default();
    let mut world = used::<Large>(&ledger);
    let load =
        |n| if n == 90 { fail("no more") } else { (Rare(ledger.bomb()), Load(ledger.bomb())) };
    let loads = Hinted { iter: (0..).map(load), hint: (0, None) };
    assert_eq!(
        caught(|| world.step(|step| {
            step.spawn_batch(loads);
        })),
        "no more"
    );
    is_as_before(world, &ledger);
}
