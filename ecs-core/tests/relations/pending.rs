//! Links of entities that the same refresh spawns.

use ecs_core::scheduler::AtomicCounter;
use ecs_core::settings::{Allow, Config, Fixed, Settings};
use ecs_core::{Entity, Refused, StateHash, StepError, Threads, World, world};

use super::support::every_kind;

/// How many ships the yard builds, if any, and whether it is despawned by then.
#[derive(Clone, Debug, StateHash)]
struct Yard(u32, bool);
#[derive(Clone, Debug, PartialEq, StateHash)]
struct Ship(u32);
#[derive(Clone, Debug, PartialEq, StateHash)]
struct Turret(u32);

/// One of the ships.
#[derive(Clone, Debug, StateHash)]
struct First(Entity);

struct PartOf;
struct Guards;

world! {
    world Docks { rows: by_archetype }
    component Yard: contiguous_buffer;
    component Ship, Turret, First;
    relation PartOf: one_to_many, on_despawn: despawn;
    relation Guards: one_to_many, on_despawn: detach;
    system Build {
        parallelism: split_every(64),
        read: [Yard],
        spawn: [Ship, Turret],
        link: [Guards, PartOf],
        despawn,
        insert: [First],
        run: |data| for (yard, &Yard(ships, closes)) in data.own.query::<(Entity, &Yard)>() {
            let effects = &mut data.effects;
            let mut last = None;
            for number in 0..ships {
                let ship = effects.spawn_pending((Ship(number),));
                for angle in 0..2 {
                    let turret = effects.spawn_pending((Turret(angle),));
                    effects.link::<PartOf>(turret, ship);
                }
                effects.link::<PartOf>(ship, yard);
                if let Some(last) = last {
                    // The second one counts.
                    effects.relink::<Guards>(ship, yard);
                    effects.relink::<Guards>(ship, last);
                }
                last = Some(ship);
            }
            // Spawns then come before the rows of despawned entities are free.
            if ships == 3 {
                effects.insert_with(yard, last.expect("there are three"), First);
            }
            if closes {
                effects.despawn(yard);
            }
        },
    }
}

/// The ships of the yard, in the order in which they were built, each with turrets of its own, and the ship before it.
fn ships<S: Settings>(world: &World<Docks, S>, yard: Entity) -> usize {
    let ships: Vec<Entity> = world.children::<PartOf>(yard).collect();
    for (number, &ship) in ships.iter().enumerate() {
        assert_eq!(world.get::<Ship>(ship), Some(&Ship(number as u32)));
        let turrets = world.children::<PartOf>(ship).map(|one| world.get::<Turret>(one).cloned());
        assert_eq!(turrets.collect::<Vec<_>>(), [Some(Turret(0)), Some(Turret(1))]);
        let before = number.checked_sub(1).map(|number| ships[number]);
        assert_eq!(world.parent::<Guards>(ship), before);
    }
    ships.len()
}

#[test]
fn pending_entities_are_linked_to_each_other_and_to_living_ones() {
    let mut hashes = Vec::new();
    for threads in every_kind() {
        let mut world = World::<Docks>::on(threads);
        let yards = world.spawn_batch((0..300).map(|number| (Yard(number % 5, false),)));
        world.tick().unwrap();
        for (number, &yard) in yards.iter().enumerate() {
            assert_eq!(ships(&world, yard), number % 5);
        }
        hashes.push(world.state_hash());
        assert!(world.despawn(yards[4]));
        assert_eq!(world.entity_count(), 300 + 600 + 1200 - 1 - 4 - 8);
    }
    assert!(hashes.iter().all(|hash| *hash == hashes[0]));
}

#[test]
fn a_parent_that_is_despawned_is_none_of_a_pending_entity() {
    for threads in every_kind() {
        for others in [2, 3] {
            let mut world = World::<Docks>::on(threads.clone());
            let yard = world.spawn((Yard(2, true),));
            // If it has three ships, all spawns come before the yard's row is free.
            let other = world.spawn((Yard(others, false),));
            let error = world.tick().unwrap_err();
            let all = world.iter::<(Entity, &Ship)>().map(|(ship, _)| ship);
            let all: Vec<Entity> =
                all.filter(|ship| world.parent::<PartOf>(*ship) != Some(other)).collect();
            let [first, second] = all[..] else { panic!("{all:?}") };
            let refused = [first, second].map(|child| Refused::DeadParent { child, parent: yard });
            assert_eq!(world.refused::<PartOf>(), refused);
            let guard = Refused::DeadParent { child: second, parent: yard };
            assert_eq!(world.refused::<Guards>(), [guard]);
            assert!(matches!(error, StepError::Refused { .. }), "{error}");
            assert_eq!(world.parent::<Guards>(second), Some(first));
            assert_eq!(world.children::<PartOf>(first).len(), 2);
            assert_eq!(ships(&world, other), others as usize);
        }
    }
}

#[test]
fn what_finds_no_room_has_no_links() {
    type Few = Config<Fixed<4>, Allow, AtomicCounter>;
    let mut world = World::<Docks, Few>::on(Threads::Inline);
    let yard = world.spawn((Yard(2, false),)).expect("room");
    assert!(world.tick().is_err());
    assert_eq!(world.entity_count(), 4);
    let ship = world.children::<PartOf>(yard).next();
    let linked = world.iter::<(Entity, &Turret)>().filter(|(turret, _)| {
        let parent = world.parent::<PartOf>(*turret);
        parent.is_some() && parent == ship
    });
    assert!(world.refused::<PartOf>().is_empty());
    // The ships of a subtask come before its turrets, so that one turret has found room.
    assert_eq!((world.children::<PartOf>(yard).len(), linked.count()), (2, 1));
}

/// A step that panics when it has marked a spawned entity, whose row is free again then. The row lies in the second block of 64 rows, as does that of
/// the child of an entity that is despawned, too. That entity itself lies in the first block.
mod withdrawn {
    use ecs_core::{Entity, StateHash, Threads, World, world};

    #[derive(Clone, Debug, StateHash)]
    struct Body(u32);
    #[derive(Clone, Debug, StateHash)]
    struct Orbits(Entity);
    /// The parent to despawn.
    #[derive(Clone, Debug, StateHash)]
    struct Collapse(Entity);
    struct PartOf;

    world! {
        world Sky;
        component Body, Orbits, Collapse;
        relation PartOf: one_to_many, on_despawn: despawn;
        system Fall {
            read: [Collapse],
            spawn: [Body, Orbits],
            insert: [Orbits],
            despawn,
            run: |data| for &Collapse(parent) in data.own.query::<&Collapse>() {
                let effects = &mut data.effects;
                effects.despawn(parent);
                let moon = effects.spawn_pending((Body(1),));
                effects.despawn(moon);
                effects.spawn_with(moon, |moon| -> (Orbits,) {
                    assert!(std::hint::black_box(false), "the moon has no orbit");
                    (Orbits(moon),)
                });
            },
        }
    }

    #[test]
    fn a_block_is_freed_once() {
        for threads in super::every_kind() {
            let mut world = World::<Sky>::on(threads);
            let all = world.spawn_batch((0..71).map(|n| (Body(n),)));
            world.spawn((Collapse(all[3]),));
            world.link::<PartOf>(all[70], all[3]).unwrap();
            let panics = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| world.tick()));
            assert!(panics.is_err());
            assert!(!world.is_alive(all[3]) && !world.is_alive(all[70]));
            assert_eq!(world.entity_count(), 70);
            assert_eq!(world.iter::<&Body>().count(), 69);
            // The next entity with the child's index has the next generation.
            let next: Vec<_> = (0..3).map(|n| world.spawn((Body(n),))).collect();
            let of_child = next.iter().find(|entity| entity.index() == all[70].index()).unwrap();
            let mut fresh = World::<Sky>::on(Threads::Inline);
            let first = fresh.spawn_batch((0..71).map(|n| (Body(n),)));
            fresh.despawn(first[70]);
            assert_eq!(fresh.spawn((Body(0),)), *of_child);
        }
    }
}
