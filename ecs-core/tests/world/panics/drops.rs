//! Every component is dropped exactly once, by whatever operation it is removed.

use std::sync::Arc;

use ecs_core::settings::{Allow, AtomicCounter, Config, Fixed};
use ecs_core::{Bundle, BundleSink, Data, StepError, System, Threads, World, world};

use crate::support::{Counted, Ledger, caught, fail, three};

struct Alone(#[expect(dead_code, reason = "only its drop counts")] Counted);
struct Left(#[expect(dead_code, reason = "only its drop counts")] Counted);
struct Right(#[expect(dead_code, reason = "only its drop counts")] Counted);
struct Tag;

world! {
    world Owners { entity_limit: dynamic(16) }
    component Alone: contiguous_buffer;
    component (Left, Right): contiguous_buffer;
    component Tag: contiguous_buffer;

    resource Values;

    system Act: Effects {
        parallelism: split_every(64),
        with: [Tag],
        read_resources: [Values],
        despawn,
        insert: [Alone],
        remove: [Left],
        spawn: [(Alone, Right)],
        defer,
    }
    system Fail { dependencies: [Act] }
}

/// The ledger that systems get values from.
#[derive(Default)]
struct Values(Ledger);

/// The effect of `Act` on each entity.
#[derive(Clone, Copy, Default, PartialEq)]
enum Effects {
    #[default]
    Nothing,
    Despawn,
    Insert,
    Remove,
    Spawn,
    Defer,
}

impl System<Owners, Act> for Effects {
    fn process(&self, data: &mut Data<'_, Owners, Act>) {
        let ledger = &data.resources.get::<Values>().0;
        let Data { own, effects, .. } = data;
        own.for_entities(|e| match self {
            Self::Nothing => {}
            Self::Despawn => effects.despawn(e.entity),
            Self::Insert => effects.insert(e.entity, Alone(ledger.make())),
            Self::Remove => effects.remove::<Left>(e.entity),
            Self::Spawn => effects.spawn((Alone(ledger.make()), Right(ledger.make()))),
            Self::Defer => {
                let value = Right(ledger.make());
                effects.defer(move |defer| {
                    defer.insert(e.entity, value).expect("alive");
                });
            }
        });
    }
}

/// Panics if the flag is set.
#[derive(Default)]
struct Fail(bool);

impl System<Owners> for Fail {
    fn process(&self, _: &mut Data<'_, Owners, Self>) {
        if self.0 {
            fail("told to");
        }
    }
}

const ENTITIES: usize = 200;

/// A bundle that puts a `Left` twice.
struct Twice([Counted; 2]);

impl Bundle<Owners> for Twice {
    fn put(self, sink: &mut BundleSink<'_, Owners>) {
        self.0.into_iter().for_each(|value| sink.put(Left(value)));
    }
}

/// A world of [`ENTITIES`] entities with a `Left` and a `Tag`. Every second one has an `Alone`.
fn owners<S: ecs_core::settings::Settings>(threads: Threads) -> (World<Owners, S>, Ledger) {
    let ledger = Ledger::default();
    let mut world = World::on(threads);
    *world.resource_mut() = Values(ledger.clone());
    world
        .step(|step| {
            for i in 0..ENTITIES {
                let entity = step.spawn((Left(ledger.make()), Tag));
                if i % 2 == 0 {
                    step.insert(entity, Alone(ledger.make())).unwrap();
                }
            }
        })
        .unwrap();
    assert_eq!(ledger.living(), 300);
    (world, ledger)
}

fn as_declared() -> (World<Owners>, Ledger) {
    owners(three())
}

#[test]
fn what_the_world_holds_goes_with_it() {
    let (world, ledger) = as_declared();
    drop(world);
    assert_eq!(ledger.living(), 0);
}

#[test]
fn each_effect_keeps_the_count() {
    for (effect, living) in [
        (Effects::Nothing, 300),
        (Effects::Despawn, 0),
        (Effects::Insert, 400), // half of them replace
        (Effects::Remove, 100),
        (Effects::Spawn, 700),
        (Effects::Defer, 500),
    ] {
        let (mut world, ledger) = as_declared();
        *world.system_mut::<Act>() = effect;
        world.tick().unwrap();
        assert_eq!(ledger.living(), living);
        drop(world);
        assert_eq!(ledger.living(), 0);
    }
}

#[test]
fn each_effect_is_dropped_when_a_system_panics() {
    for effect in
        [Effects::Despawn, Effects::Insert, Effects::Remove, Effects::Spawn, Effects::Defer]
    {
        let (mut world, ledger) = as_declared();
        *world.system_mut::<Act>() = effect;
        world.system_mut::<Fail>().0 = true;
        let made = ledger.made();
        assert_eq!(caught(|| world.tick()), "told to");
        let staged = if matches!(effect, Effects::Despawn | Effects::Remove) {
            0
        } else {
            ENTITIES * if effect == Effects::Spawn { 2 } else { 1 }
        };
        assert_eq!(ledger.made(), made + staged, "they were staged");
        assert_eq!((ledger.living(), world.entity_count()), (300, ENTITIES));
        // Nothing of the failed step is left for later steps.
        *world.system_mut::<Act>() = Effects::Nothing;
        world.system_mut::<Fail>().0 = false;
        world.tick().unwrap();
        assert_eq!((ledger.living(), world.entity_count()), (300, ENTITIES));
    }
}

#[test]
fn the_step_replaces_and_removes() {
    let (mut world, ledger) = as_declared();
    world
        .step(|step| {
            let entity = step.spawn((Left(ledger.make()), Right(ledger.make())));
            let old = step.insert(entity, Left(ledger.make())).unwrap();
            assert_eq!((old.is_some(), ledger.living()), (true, 303));
            drop(old);
            assert_eq!(ledger.living(), 302);
            drop(step.remove::<Right>(entity).unwrap());
            assert_eq!(ledger.living(), 301);
            assert!(step.remove::<Right>(entity).is_none());
            step.despawn(entity);
            assert_eq!(
                ledger.living(),
                301,
                "a despawned entity has its components until the refresh"
            );
        })
        .unwrap();
    assert_eq!(ledger.living(), 300);
}

#[test]
fn a_bundle_of_ones_own_may_put_a_component_twice() {
    let ledger = Ledger::default();
    let mut world = World::<Owners>::on(Threads::Inline);
    world
        .step(|step| {
            step.spawn(Twice([(); 2].map(|()| ledger.make())));
        })
        .unwrap();
    assert_eq!((ledger.made(), ledger.living()), (2, 1));
}

#[test]
fn despawned_entities_take_no_components() {
    let (mut world, ledger) = as_declared();
    let entity = world.step(|step| step.spawn(())).unwrap();
    world.step(|step| step.despawn(entity)).unwrap();
    world
        .step(|step| {
            assert!(step.insert(entity, Alone(ledger.make())).is_err());
            assert!(step.remove::<Alone>(entity).is_none());
        })
        .unwrap();
    assert_eq!(ledger.living(), 300);
    // A staged insertion for a despawned entity: the deferred function of a lower entity despawns it first.
    *world.system_mut::<Act>() = Effects::Insert;
    let late = world.step(|step| step.spawn((Tag,))).unwrap();
    world
        .step(|step| {
            step.despawn(late);
            step.execute_systems();
        })
        .unwrap();
    assert!(!world.is_alive(late));
    assert_eq!(ledger.living(), 400);
}

#[test]
fn a_bundle_without_room_is_dropped() {
    type Full = Config<Fixed<ENTITIES>, Allow, AtomicCounter>;
    let (mut world, ledger) = owners::<Full>(three());
    let full = |lost| StepError::LimitReached { limit: ENTITIES, lost };
    let spawned = world.step(|step| step.spawn((Left(ledger.make()), Right(ledger.make()))));
    assert_eq!(spawned, Err(full(1)));
    assert_eq!(ledger.living(), 300);
    *world.system_mut::<Act>() = Effects::Spawn;
    let stepped = world.tick();
    assert_eq!(stepped, Err(full(ENTITIES)));
    assert_eq!((ledger.made(), ledger.living()), (302 + 2 * ENTITIES, 300));
}

#[test]
fn many_die_on_many_threads() {
    // More entities than one thread frees alone.
    let ledger = Ledger::default();
    let mut world = World::<Owners>::on(three());
    let all = 9000;
    world
        .step(|step| {
            for _ in 0..all {
                let parts = (Alone(ledger.make()), Left(ledger.make()), Right(ledger.make()), Tag);
                step.spawn(parts);
            }
        })
        .unwrap();
    *world.system_mut::<Act>() = Effects::Despawn;
    world.tick().unwrap();
    assert_eq!((ledger.made(), ledger.living(), world.entity_count()), (3 * all, 0, 0));
}

#[test]
fn captured_data_of_an_override_goes_with_the_execution() {
    let (mut world, ledger) = as_declared();
    let shared = Arc::new(ledger.make());
    let captured = Arc::clone(&shared);
    world
        .step(|step| {
            step.execute_with(|systems| {
                systems.for_subtasks::<Fail>(move |_, _| drop(captured.clone()))
            });
        })
        .unwrap();
    assert!(Arc::into_inner(shared).is_some(), "the closure is gone");
    assert_eq!(ledger.living(), 300);
}
