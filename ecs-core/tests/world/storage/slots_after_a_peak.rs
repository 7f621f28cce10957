//! After a peak, slots of spare indices take less memory: handles find and miss what they did before.
//!
//! A world of a fixed limit keeps its memory, and goes through the same.

use std::collections::{BTreeMap, BTreeSet};

use ecs_core::settings::{Allow, AtomicCounter, Config, Dynamic, Fixed, Settings};
use ecs_core::{Entity, StateHash, Threads, World, world};
use serde::{Deserialize, Serialize};

use crate::support::three;

/// Slots of fewer indices than 2¹⁷ lie in the heap, and stay as they are.
const PEAK: u64 = 150_000;

#[derive(Clone, Copy, Debug, PartialEq, StateHash, Serialize, Deserialize)]
struct Id(u64);
#[derive(Clone, Copy, Debug, PartialEq, StateHash, Serialize, Deserialize)]
struct Spared;

world! {
    world Tide { entity_limit: dynamic(16) }
    component Id;
    component Spared: hash_map;
    system Ebb {
        parallelism: split_evenly(3),
        without: [Spared],
        despawn,
        each: |entity: Entity, id: &Id, effects| if !roll(id.0).is_multiple_of(10) { effects.despawn(entity) },
    }
    system Flood {
        dependencies: [Ebb],
        spawn: [(Id,)],
        run: |data| {
            for id in 0..300 {
                data.effects.spawn((Id(id),));
            }
        },
    }
}

type Grows = Config<Dynamic<16>, Allow, AtomicCounter>;
type Stays = Config<Fixed<{ 4 * PEAK as usize }>, Allow, AtomicCounter>;

fn roll(id: u64) -> u64 {
    (id ^ id >> 7).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40
}

/// The handles that spawns have returned, and those of entities that lived at an earlier check.
#[derive(Clone, Default)]
struct Handles(BTreeSet<Entity>);

impl Handles {
    fn spawn<S: Settings>(&mut self, world: &mut World<Tide, S>, count: u64) {
        let spawned = world
            .step(|step| step.spawn_batch((0..count).map(|id| (Id(id),))).collect::<Vec<Entity>>());
        self.0.extend(spawned.expect("nothing is staged"));
    }

    /// Checks each handle against the entities that are there, and returns the hash of the world's state.
    fn check<S: Settings>(&mut self, world: &World<Tide, S>) -> u64 {
        let mut living = BTreeMap::new();
        for (entity, id) in world.iter::<(Entity, &Id)>() {
            living.insert(entity, id.0);
        }
        assert_eq!(living.len(), world.entity_count());
        for &entity in &self.0 {
            assert_eq!(world.get::<Id>(entity).map(|id| id.0), living.get(&entity).copied());
        }
        self.0.extend(living.into_keys());
        world.state_hash()
    }
}

/// Despawns by a system, spawns by a system, and single ones.
fn go_on<S: Settings>(world: &mut World<Tide, S>, handles: &mut Handles, hashes: &mut Vec<u64>) {
    for _ in 0..2 {
        world.tick().expect("nothing is staged");
        hashes.push(handles.check(world));
    }
    let few: Vec<Entity> = world.iter::<Entity>().step_by(97).collect();
    let done = world.step(|step| {
        for &entity in &few {
            step.despawn(entity);
        }
        // One by one, until rows behind the last one get indices that were spare.
        for id in 0..3000 {
            step.spawn((Id(id), Spared));
        }
    });
    done.expect("nothing is staged");
    hashes.push(handles.check(world));
    // All indices are used again, and the next ebb follows.
    handles.spawn(world, PEAK);
    hashes.push(handles.check(world));
    world.tick().expect("nothing is staged");
    hashes.push(handles.check(world));
}

/// The hashes of a world's states.
fn story<S: Settings>(mut world: World<Tide, S>) -> Vec<u64> {
    let (mut handles, mut hashes) = (Handles::default(), Vec::new());
    handles.spawn(&mut world, PEAK);
    world.tick().expect("nothing is staged");
    hashes.push(handles.check(&world));
    assert!(world.entity_count() < PEAK as usize / 8);
    let snapshot = world.snapshot();
    let mut save = Vec::new();
    world.save(&mut save).expect("all can be saved");
    let (before, start) = (handles.clone(), hashes.clone());
    go_on(&mut world, &mut handles, &mut hashes);
    // A restored world, and a loaded one, go on like the original.
    let mut loaded = World::<Tide, S>::on(Threads::Inline);
    loaded.load(&save).expect("it is a save of such a world");
    world.restore(&snapshot).expect("there is room");
    for mut world in [loaded, world] {
        let (mut handles, mut again) = (before.clone(), start.clone());
        assert_eq!(handles.check(&world), start[0]);
        go_on(&mut world, &mut handles, &mut again);
        assert_eq!(again, hashes);
    }
    hashes
}

#[test]
fn handles_are_as_in_a_world_that_keeps_its_memory() {
    let stays = story(World::<Tide, Stays>::on(Threads::Inline));
    for threads in [Threads::Inline, three()] {
        assert_eq!(story(World::<Tide, Grows>::on(threads)), stays);
    }
}
