//! Limits, panics and drops: nothing is lost, dropped twice, or named by a handle of something else.

use std::sync::{Arc, Mutex, PoisonError};

use ecs_core::{Bundle, BundleSink, Entity, StepError, Threads, World, world};

use super::support::{Counted, Ledger, caught, every_kind, fail, three};

struct Plan {
    ledger: Ledger,
    trouble: Trouble,
    seen: Arc<Mutex<Vec<Entity>>>,
}

impl Default for Plan {
    fn default() -> Self {
        Self { ledger: Ledger::default(), trouble: Trouble::None, seen: Arc::default() }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Trouble {
    None,
    /// The code that makes a value panics.
    Make,
    /// The same, of another entity, after others have seen their handles.
    MakeLate,
    /// A system that runs later panics.
    System,
    /// What is replaced panics when it is dropped.
    Drop,
}

struct Spawner(u32);
struct Load(#[expect(dead_code, reason = "only its drop counts")] Counted);
struct Cargo(#[expect(dead_code, reason = "only its drop counts")] Counted);
struct Link(Entity, #[expect(dead_code, reason = "only its drop counts")] Counted);
struct Extra(#[expect(dead_code, reason = "only its drop counts")] Counted);
struct Note(Entity, #[expect(dead_code, reason = "only its drop counts")] Counted);
#[derive(Default)]
struct Got(Vec<Entity>);

struct Custom(Counted, Entity);

impl Bundle<Yard> for Custom {
    fn put(self, sink: &mut BundleSink<'_, Yard>) {
        sink.put(Extra(self.0.clone()));
        sink.put(Link(self.1, self.0));
    }
}

world! {
    world Yard { entity_limit: fixed(300) }
    component Spawner, Load, Cargo: contiguous_buffer;
    component Link: contiguous_buffer;
    component Extra: hash_map;
    resource Plan, Got;
    event Note: addressed;

    system Make {
        parallelism: split_every(64),
        spawn: [Load, Link, Custom],
        insert: [Link, Extra, Load],
        update: [Cargo],
        remove: [Load],
        emit: [Note],
        despawn,
        each: |entity: Entity, spawner: &Spawner, effects, plan: &Plan| {
            let make = || plan.ledger.make();
            let first = effects.spawn_pending((Load(make()),));
            let (value, seen, trouble) = (make(), plan.seen.clone(), plan.trouble);
            let number = spawner.0;
            effects.insert_with(entity, first, move |first| {
                seen.lock().unwrap_or_else(PoisonError::into_inner).push(first);
                if trouble == Trouble::Make || trouble == Trouble::MakeLate && number == 150 {
                    fail("made");
                }
                Link(first, value)
            });
            let value = make();
            let second = effects.spawn_with([first, first], move |[first, _]| (Link(first, value),));
            let value = make();
            let third = effects.spawn_with((second, entity), move |(second, _)| Custom(value, second));
            effects.insert(third, Extra(make()));
            let bomb = trouble == Trouble::Drop && number == 7;
            effects.insert(first, Load(if bomb { plan.ledger.bomb() } else { make() }));
            effects.insert(first, Load(make()));
            effects.update(first, Cargo(make()));
            let value = make();
            effects.update_with(entity, third, move |_| Cargo(value));
            effects.remove::<Load>(first);
            effects.insert(first, Load(make()));
            effects.send(second, Note(entity, make()));
            let value = make();
            effects.send_with(entity, second, move |second| Note(second, value));
            if number.is_multiple_of(5) {
                effects.despawn(second);
            }
        },
    }
    system Fail {
        dependencies: [Make],
        run: |_, plan: &Plan| if plan.trouble == Trouble::System {
            fail("system");
        },
    }
    system Read {
        on: [Note],
        read: [],
        run: |effects, got: &mut Got| {
            got.0.extend(effects.events::<ecs_core::Addressed<Note>>().map(|note| note.message.0));
        },
    }
}

/// A world with this many spawners.
fn yard(threads: Threads, spawners: u32, trouble: Trouble) -> (World<Yard>, Ledger) {
    let mut world = World::<Yard>::on(threads);
    let ledger = Ledger::default();
    let bundles = (0..spawners).map(|n| (Spawner(n), Cargo(ledger.make())));
    world.spawn_batch(bundles).unwrap();
    *world.resource_mut() = Plan { ledger: ledger.clone(), trouble, seen: Arc::default() };
    (world, ledger)
}

/// The number of values in the world's components.
fn held(world: &World<Yard>) -> usize {
    world.iter::<&Load>().count()
        + world.iter::<&Cargo>().count()
        + world.iter::<&Link>().count()
        + world.iter::<&Extra>().count()
}

#[test]
fn a_full_world_has_no_such_entity_and_says_so() {
    for threads in every_kind() {
        for spawners in [1, 70, 74, 75, 76, 99, 100, 130, 150, 200, 300] {
            let (mut world, ledger) = yard(threads.clone(), spawners, Trouble::None);
            let result = world.tick();
            let all = spawners as usize;
            let lost = (4 * all).saturating_sub(300);
            let expected = StepError::LimitReached { limit: 300, lost };
            assert_eq!(result, if lost > 0 { Err(expected) } else { Ok(()) }, "{spawners}");
            // Entities are spawned bundle by bundle.
            let mut room = 300 - all;
            let [first, second, third] = [(); 3].map(|()| {
                let fit = room.min(all);
                room -= fit;
                fit
            });
            let despawned = second.div_ceil(5);
            assert_eq!(world.entity_count(), all + first + second - despawned + third);
            for (spawner, link) in world.iter::<(&Spawner, &Link)>() {
                let there = (spawner.0 as usize) < first;
                assert_eq!(world.is_alive(link.0), there, "{}", spawner.0);
                assert_eq!(world.contains::<Load>(link.0), there);
            }
            let links = world.iter::<&Link>().filter(|link| world.is_alive(link.0)).count();
            let named = third.min(second) - third.min(second).div_ceil(5);
            assert_eq!(links, first + first.min(second) - despawned + named);
            let notes = second + all;
            assert_eq!(held(&world), 2 * all + first + second - despawned + 2 * third);
            assert_eq!(ledger.living(), held(&world) + notes);
            drop(world);
            assert_eq!(ledger.living(), 0);
        }
    }
}

#[test]
fn a_panic_drops_all_that_is_staged() {
    let troubles =
        [(Trouble::Make, "made"), (Trouble::MakeLate, "made"), (Trouble::System, "system")];
    for threads in every_kind() {
        for (trouble, message) in troubles {
            let spawners = 170;
            let mut old = Vec::new();
            let mut world = World::<Yard>::on(threads.clone());
            let ledger = Ledger::default();
            // Some rows have had entities, so that generations differ.
            world
                .step(|step| {
                    for n in 0..40 {
                        old.push(step.spawn((Load(ledger.make()),)));
                        step.spawn((Spawner(n), Cargo(ledger.make())));
                    }
                })
                .unwrap();
            for one in old {
                assert!(world.despawn(one));
            }
            for n in 40..spawners {
                world.spawn((Spawner(n), Cargo(ledger.make()))).unwrap();
            }
            let seen = Arc::<Mutex<Vec<Entity>>>::default();
            *world.resource_mut() = Plan { ledger: ledger.clone(), trouble, seen: seen.clone() };
            assert_eq!(caught(|| world.tick()), message);
            assert_eq!(world.entity_count(), spawners as usize);
            assert_eq!((ledger.living(), held(&world)), (spawners as usize, spawners as usize));
            // No entity ever gets a handle that user code has seen.
            let mut all = Vec::new();
            world
                .step(|step| all.extend((0..100).map(|_| step.spawn((Load(ledger.make()),)))))
                .unwrap();
            let seen = seen.lock().unwrap();
            assert_eq!(seen.is_empty(), trouble == Trouble::System);
            assert!(seen.iter().all(|one| !world.is_alive(*one)), "a handle is used again");
            drop(world);
            assert_eq!(ledger.living(), 0);
        }
    }
}

#[test]
fn a_panic_of_a_destructor_loses_nothing() {
    for threads in every_kind() {
        let (mut world, ledger) = yard(threads, 60, Trouble::Drop);
        assert_eq!(caught(|| world.tick()), "bomb");
        assert_eq!(world.iter::<&Link>().count(), 3 * 60 - 12);
        drop(world);
        assert_eq!(ledger.living(), 0);
    }
}

#[test]
fn messages_about_spawned_entities_are_read_in_the_next_step() {
    let (mut world, _) = yard(three(), 20, Trouble::None);
    world.tick().unwrap();
    assert!(world.resource::<Got>().0.is_empty());
    world.step(|step| step.execute_only::<(Read,)>()).unwrap();
    let got = &world.resource::<Got>().0;
    // To the second and to the spawner, of each.
    let spawners: Vec<Entity> =
        world.iter::<(Entity, &Spawner)>().map(|(entity, _)| entity).collect();
    assert_eq!(got.len(), 40);
    for (pair, spawner) in got.chunks(2).zip(spawners) {
        assert_eq!(pair[0], spawner);
        assert!(pair[1] != spawner && !world.contains::<Spawner>(pair[1]));
    }
}
