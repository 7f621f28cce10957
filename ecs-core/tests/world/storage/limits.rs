//! Entity limits, and when indices and rows are reused.

use std::collections::BTreeSet;

use ecs_core::settings::{Allow, AtomicCounter, Config, Disallow, Fixed, Sequential};
use ecs_core::{Data, Entity, LimitReached, StepError, System, World, world};

use crate::support::{caught, every_kind, fail};

#[derive(Clone, Copy, Debug, PartialEq)]
struct Number(u32);

world! {
    world Room { entity_limit: fixed(200) }
    component Number: contiguous_buffer;

    system Despawn { read: [Number], despawn }
    system Spawn { parallelism: split_every(64), read: [Number], spawn: [(Number,)] }
    system BearMore { parallelism: split_evenly(2), read: [Number], spawn: [(Number,)] }
}

/// Despawns the entities whose number is below this.
#[derive(Default)]
struct Despawn(u32);

impl System<Room> for Despawn {
    fn process(&self, data: &mut Data<'_, Room, Self>) {
        let Data { own, effects, .. } = data;
        own.for_entities(|e| {
            if e.number.0 < self.0 {
                effects.despawn(e.entity);
            }
        });
    }
}

/// Spawns one entity for each.
#[derive(Default)]
struct Spawn;

impl System<Room> for Spawn {
    fn process(&self, data: &mut Data<'_, Room, Self>) {
        let Data { own, effects, .. } = data;
        own.for_entities(|e| effects.spawn((Number(e.number.0 + 1_000),)));
    }
}

/// Spawns two entities for each.
#[derive(Default)]
struct BearMore;

impl System<Room> for BearMore {
    fn process(&self, data: &mut Data<'_, Room, Self>) {
        let Data { own, effects, .. } = data;
        own.for_entities(|e| {
            effects.spawn((Number(e.number.0 + 2_000),));
            effects.spawn((Number(e.number.0 + 3_000),));
        });
    }
}

/// A world of `count` entities, numbered from 0.
fn room<S: ecs_core::settings::Settings>(
    threads: ecs_core::Threads,
    count: u32,
) -> (World<Room, S>, Vec<Entity>) {
    let mut world = World::on(threads);
    let spawn = |number| (Number(number),);
    let entities = world.step(|step| (0..count).map(|n| step.spawn(spawn(n))).collect()).unwrap();
    (world, entities)
}

fn numbers<S: ecs_core::settings::Settings>(world: &World<Room, S>) -> Vec<u32> {
    let mut numbers = Vec::new();
    for number in world.iter::<&Number>() {
        numbers.push(number.0);
    }
    numbers
}

type AsDeclared = Config<Fixed<200>, Allow, AtomicCounter>;
type Plain = Config<Fixed<200>, Disallow, Sequential>;

#[test]
fn a_spawn_beyond_the_limit_gives_the_handle_of_no_entity_and_the_step_says_so() {
    for threads in every_kind() {
        let (mut world, entities) = room::<AsDeclared>(threads, 200);
        let full = |lost| Err(StepError::LimitReached { limit: 200, lost });
        let mut never = Vec::new();
        let stepped = world.step(|step| {
            assert_eq!(step.remaining_capacity(), 0);
            never.push(step.spawn((Number(0),)));
            never.push(step.spawn(()));
            step.despawn(entities[3]);
            assert_eq!(step.remaining_capacity(), 0, "despawned entities count until the refresh");
            never.push(step.spawn((Number(0),)));
            assert_eq!(step.spawn_batch([(); 5]).len(), 0);
            for &entity in &never {
                assert!(!step.is_alive(entity) && !entities.contains(&entity));
                assert_eq!(step.get::<Number>(entity), None);
                step.despawn(entity);
                assert!(step.insert(entity, Number(1)).is_err());
            }
        });
        assert_eq!(stepped, full(8));
        assert_eq!((world.entity_count(), world.remaining_capacity()), (199, 1));
        let again = world.step(|step| step.spawn((Number(7),))).unwrap();
        assert_eq!((again.index(), again.generation().get()), (3, 2));
        assert_eq!(
            world.step(|step| step.spawn(())),
            Err(StepError::LimitReached { limit: 200, lost: 1 })
        );
        // The world itself says it at once.
        assert_eq!(world.spawn(()), Err(LimitReached { limit: 200, lost: 1 }));
        assert_eq!(world.spawn_batch([(); 3]), Err(LimitReached { limit: 200, lost: 3 }));
        assert_eq!(StepError::from(world.spawn(()).unwrap_err()), full(1).unwrap_err());
        assert_eq!(world.step(|_| ()), Ok(()), "and leaves nothing to the next step");
    }
}

#[test]
fn of_staged_spawns_the_first_in_merge_order_live() {
    fn check<S: ecs_core::settings::Settings>(threads: ecs_core::Threads) {
        // There are 90 parents, and room for 110 of the 270 spawns: all of `Spawn`, and the first 20 of
        // `BearMore`.
        let (mut world, parents) = room::<S>(threads, 90);
        let stepped = world.tick();
        assert_eq!(stepped, Err(StepError::LimitReached { limit: 200, lost: 160 }));
        let firsts = (0..10).flat_map(|n| [n + 2_000, n + 3_000]);
        let expected: Vec<u32> = (0..90).chain(1_000..1_090).chain(firsts).collect();
        assert_eq!(numbers(&world), expected);

        // Everything else in the step is applied: entities despawned in it are gone.
        world.system_mut::<Despawn>().0 = 90;
        let stepped = world.tick();
        assert_eq!(stepped, Err(StepError::LimitReached { limit: 200, lost: 600 }));
        assert_eq!(world.entity_count(), 110);
        assert!(parents.iter().all(|&parent| !world.is_alive(parent)));

        // There is room again, and an error does not outlast its step.
        world.system_mut::<Despawn>().0 = 0;
        let stepped = world.tick();
        assert_eq!(stepped, Err(StepError::LimitReached { limit: 200, lost: 330 - 90 }));
        assert_eq!(world.step(|_| ()), Ok(()));
        assert_eq!(numbers(&world).len(), 200);
    }
    for threads in every_kind() {
        check::<AsDeclared>(threads.clone());
        check::<Plain>(threads);
    }
}

#[test]
fn a_panic_takes_the_error_of_its_step_along() {
    let (mut world, _) = room::<AsDeclared>(ecs_core::Threads::Inline, 200);
    let text = caught(|| {
        world.step(|step| {
            step.spawn(());
            fail("the step");
        })
    });
    assert_eq!((text.as_str(), world.step(|_| ())), ("the step", Ok(())));
}

#[test]
fn indices_and_rows_are_reused_after_the_refresh_only() {
    let (mut world, mut entities) = room::<AsDeclared>(crate::support::three(), 100);
    let (fresh, despawned) = world
        .step(|step| {
            let despawned: Vec<Entity> = entities.iter().copied().step_by(3).collect();
            for &entity in &despawned {
                step.despawn(entity);
            }
            let fresh: Vec<Entity> = (0..34).map(|n| step.spawn((Number(500 + n),))).collect();
            (fresh, despawned)
        })
        .unwrap();
    let indices: BTreeSet<u32> = entities.iter().map(|entity| entity.index()).collect();
    assert!(fresh.iter().all(|entity| !indices.contains(&entity.index())));
    // The same holds of rows: the new entities come last in the canonical order. (Up to twice as many gaps
    // stay as entities were spawned.)
    assert_eq!(numbers(&world)[100 - despawned.len()..], (500..534).collect::<Vec<_>>());
    entities.extend(&fresh);

    // The next spawns fill the gaps, from the lowest row, with the freed indices in ascending order.
    let again: Vec<Entity> =
        world.step(|step| despawned.iter().map(|_| step.spawn((Number(900),))).collect()).unwrap();
    for (old, new) in despawned.iter().zip(&again) {
        assert_eq!(old.index(), new.index());
        assert_eq!((old.generation().get(), new.generation().get()), (1, 2));
        assert!(!world.is_alive(*old) && world.is_alive(*new));
        assert_eq!((world.get::<Number>(*old), world.get(*new)), (None, Some(&Number(900))));
    }
    let numbers = numbers(&world);
    assert!((0..100).step_by(3).all(|row| numbers[row] == 900), "{numbers:?}");
}

#[test]
fn generations_count_up_and_old_handles_stay_invalid() {
    let mut world = World::<Room>::on(ecs_core::Threads::Inline);
    let mut old: Vec<Entity> = Vec::new();
    for generation in 1..50 {
        let entity = world.step(|step| step.spawn((Number(1),))).unwrap();
        assert_eq!((entity.index(), entity.generation().get()), (0, generation));
        assert!(old.iter().all(|&handle| !world.is_alive(handle)));
        world
            .step(|step| {
                // Despawning a despawned entity, or an entity twice, changes nothing.
                for &handle in &old {
                    step.despawn(handle);
                }
                step.despawn(entity);
                step.despawn(entity);
            })
            .unwrap();
        assert_eq!(world.entity_count(), 0);
        old.push(entity);
    }
}
