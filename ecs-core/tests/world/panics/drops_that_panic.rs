//! Destructors that panic: nothing is dropped twice or leaked, no staged change survives, and the world stays
//! usable.

use ecs_core::settings::{Allow, AtomicCounter, Config, Fixed, Settings};
use ecs_core::{Data, Entity, System, World, world};

use crate::support::{Counted, Ledger, caught, fail, three};

struct Load(#[expect(dead_code, reason = "only its drop counts")] Counted);
struct Other(#[expect(dead_code, reason = "only its drop counts")] Counted);

world! {
    world Minefield { entity_limit: dynamic(16) }
    component (Load, Other): contiguous_buffer;
    resource Log;

    system Run: Plan {
        parallelism: split_every(64),
        with: [Other],
        read_resources: [Log],
        defer,
        despawn,
        spawn: [(Load,)],
    }
    system Count { with: [Other], output: Vec<Entity> }
}

/// What deferred functions have noted, and the ledger that makes bombs.
#[derive(Default)]
struct Log {
    ledger: Ledger,
    notes: Vec<usize>,
}

/// What each entity of `Run` stages.
#[derive(Default)]
struct Plan(Vec<Stage>);

#[derive(Clone, Copy)]
enum Stage {
    /// A function that does nothing and captures a bomb.
    Bomb,
    /// The same, but the panic's payload panics too when it is dropped.
    Cluster,
    /// A function that writes a note.
    Note(usize),
    /// A function that panics.
    Fail,
    /// A spawn.
    Spawn,
}

impl System<Minefield, Run> for Plan {
    fn process(&self, data: &mut Data<'_, Minefield, Run>) {
        let ledger = &data.resources.get::<Log>().ledger;
        let Data { own, effects, .. } = data;
        own.for_entities(|_| {
            for &stage in &self.0 {
                match stage {
                    Stage::Bomb => {
                        let bomb = ledger.bomb();
                        effects.defer(move |_| std::mem::forget(bomb));
                    }
                    Stage::Cluster => {
                        let cluster = Cluster;
                        effects.defer(move |_| std::mem::forget(cluster));
                    }
                    Stage::Note(note) => {
                        effects.defer(move |defer| defer.resource_mut::<Log>().notes.push(note));
                    }
                    Stage::Fail => effects.defer(|_| fail("deferred")),
                    Stage::Spawn => effects.spawn((Load(ledger.make()),)),
                }
            }
        });
    }
}

/// Panics when it is dropped, with a payload that panics when it is dropped.
struct Cluster;

impl Drop for Cluster {
    fn drop(&mut self) {
        struct Bomblet;
        impl Drop for Bomblet {
            fn drop(&mut self) {
                fail("bomblet");
            }
        }
        std::panic::panic_any(Bomblet);
    }
}

#[derive(Default)]
struct Count;

impl System<Minefield> for Count {
    fn process(&self, data: &mut Data<'_, Minefield, Self>) {
        let Data { own, effects, .. } = data;
        own.for_entities(|e| effects.output().push(e.entity));
    }
}

/// A world with one entity that is processed by both systems.
fn minefield() -> (World<Minefield>, Ledger, Entity) {
    let ledger = Ledger::default();
    let mut world = World::on(three());
    world.resource_mut::<Log>().ledger = ledger.clone();
    let entity = world.step(|step| step.spawn((Other(ledger.make()),))).unwrap();
    (world, ledger, entity)
}

/// The world can be stepped, and its subscriptions agree with its components.
fn assert_usable<S: Settings>(world: &mut World<Minefield, S>) {
    world.system_mut::<Run>().0.clear();
    world.resource_mut::<Log>().notes.clear();
    let mut expected = Vec::new();
    for (entity, _) in world.iter::<(Entity, &Other)>() {
        expected.push(entity);
    }
    let count = world.entity_count();
    let counted = world.step(|step| {
        step.execute_systems();
        let mut counted: Vec<Entity> = Vec::new();
        step.output_parts_of::<Count>().for_each(|output| counted.extend(output));
        counted
    });
    assert_eq!(counted.unwrap(), expected);
    assert_eq!(world.entity_count(), count, "nothing was left over from an earlier step");
    assert!(world.resource::<Log>().notes.is_empty(), "left over from an earlier step");
}

#[test]
fn of_the_reclaimed() {
    let (mut world, ledger, survivor) = minefield();
    let all = 500;
    let despawned: Vec<Entity> = world
        .step(|step| {
            let spawned = (0..all).map(|i| {
                let load = Load(if i % 7 == 3 { ledger.bomb() } else { ledger.make() });
                step.spawn((load, Other(ledger.make())))
            });
            spawned.collect()
        })
        .unwrap();
    let text = caught(|| world.step(|step| despawned.iter().for_each(|&e| step.despawn(e))));
    assert_eq!(text, "bomb");
    assert!(despawned.iter().all(|&entity| !world.is_alive(entity)));
    assert!(world.is_alive(survivor));
    let mut seen = 0;
    for load in world.iter::<Option<&Load>>() {
        assert!(load.is_none());
        seen += 1;
    }
    assert_eq!(seen, 1);
    // A bomb does not prevent other values from being dropped.
    assert_eq!(ledger.living(), 1, "of {}", ledger.made());
    assert_usable(&mut world);
    // The rows and indices are free again.
    world
        .step(|step| {
            for _ in 0..all {
                let entity = step.spawn((Load(ledger.make()), Other(ledger.make())));
                assert!(entity.index() as usize <= all);
            }
        })
        .unwrap();
    assert_usable(&mut world);
    drop(world);
    assert_eq!(ledger.living(), 0);
}

#[test]
fn of_the_replaced_by_the_step() {
    let (mut world, ledger, entity) = minefield();
    world.step(|step| step.insert(entity, Load(ledger.bomb())).map(drop)).unwrap().unwrap();
    let text = caught(|| {
        world.step(|step| {
            step.spawn((Other(ledger.make()),));
            drop(step.insert(entity, Load(ledger.make())));
        })
    });
    assert_eq!(text, "bomb");
    assert!(world.get::<Load>(entity).is_some());
    assert_usable(&mut world);
    drop(world);
    assert_eq!(ledger.living(), 0);
}

#[test]
fn of_the_world_itself() {
    let (mut world, ledger, entity) = minefield();
    world.step(|step| step.insert(entity, Load(ledger.bomb())).map(drop)).unwrap().unwrap();
    assert_eq!(caught(|| drop(world)), "bomb");
    assert_eq!(ledger.living(), 0);
}

#[test]
fn of_a_bundle_without_room() {
    type One = Config<Fixed<1>, Allow, AtomicCounter>;
    let ledger = Ledger::default();
    let mut world = World::<Minefield, One>::on(three());
    world
        .step(|step| {
            step.spawn((Other(ledger.make()),));
        })
        .unwrap();
    let text = caught(|| {
        world.step(|step| {
            step.spawn((Load(ledger.bomb()),));
        })
    });
    assert_eq!((text.as_str(), ledger.living(), world.entity_count()), ("bomb", 1, 1));
    assert_usable(&mut world);
}

#[test]
fn of_what_is_staged_when_the_step_panics() {
    use Stage::{Bomb, Note, Spawn};
    let (mut world, ledger, _) = minefield();
    world.system_mut::<Run>().0 = vec![Spawn, Bomb, Note(1), Bomb, Bomb, Spawn, Note(2)];
    let text = caught(|| {
        world.step(|step| {
            step.spawn((Other(ledger.make()),));
            step.execute_systems();
            fail("the step");
        })
    });
    assert!(["bomb", "the step"].contains(&text.as_str()), "{text}");
    assert_eq!(world.entity_count(), 2);
    assert_usable(&mut world);
    drop(world);
    assert_eq!(ledger.living(), 0);
}

#[test]
fn of_what_is_staged_when_a_system_panics() {
    use Stage::{Bomb, Note, Spawn};
    let (mut world, ledger, _) = minefield();
    world.system_mut::<Run>().0 = vec![Spawn, Bomb, Note(1), Bomb, Bomb, Bomb, Spawn, Note(2)];
    let text = caught(|| {
        world.step(|step| {
            step.spawn((Other(ledger.make()),));
            step.execute_with(|systems| systems.for_subtasks::<Count>(|_, _| fail("a system")));
        })
    });
    assert!(["bomb", "a system"].contains(&text.as_str()), "{text}");
    assert_eq!(world.entity_count(), 2);
    assert_usable(&mut world);
    drop(world);
    assert_eq!(ledger.living(), 0);
}

#[test]
fn of_what_lies_behind_a_panicking_deferred_function() {
    use Stage::{Bomb, Fail, Note, Spawn};
    let (mut world, ledger, _) = minefield();
    world.system_mut::<Run>().0 = vec![Note(1), Fail, Bomb, Note(2), Bomb, Spawn, Note(3)];
    let text = caught(|| world.tick());
    assert_eq!(text, "deferred");
    assert_eq!(world.resource::<Log>().notes, [1]);
    assert_eq!(world.entity_count(), 2, "staged spawns come before functions");
    assert_usable(&mut world);
    drop(world);
    assert_eq!(ledger.living(), 0);
}

#[test]
fn of_what_a_destructor_has_panicked_with() {
    use Stage::{Cluster, Note};
    let (mut world, ledger, _) = minefield();
    world.system_mut::<Run>().0 = vec![Cluster, Note(1), Cluster];
    let text = caught(|| {
        world.step(|step| {
            step.spawn((Other(ledger.make()),));
            step.execute_systems();
            fail("the step");
        })
    });
    assert_eq!(text, "the step");
    assert_eq!(world.entity_count(), 2);
    assert_usable(&mut world);
    drop(world);
    assert_eq!(ledger.living(), 0);
}

mod gaps {
    //! The number of gaps that stay depends on the spawns of the same step only.

    use super::{World, fail, world};
    use ecs_core::Entity;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    struct Number(u32);

    /// Panics when it is dropped, if the flag is set.
    struct Bomb(bool);

    impl Drop for Bomb {
        fn drop(&mut self) {
            if self.0 {
                fail("boom");
            }
        }
    }

    world! {
        world Bombs { entity_limit: dynamic(16) }
        component Number: contiguous_buffer;
        component Bomb: contiguous_buffer;
    }

    /// The numbers in the order of rows after two steps. The first spawns 200 entities and despawns one; the
    /// second despawns many.
    fn order(armed: bool) -> Vec<u32> {
        let mut world = World::<Bombs>::new();
        let first_step = catch_unwind(AssertUnwindSafe(|| {
            world.step(|step| {
                let first = step.spawn((Number(0), Bomb(armed)));
                step.spawn_batch((1..200).map(|n| (Number(n),)));
                step.despawn(first);
            })
        }));
        assert_eq!(first_step.is_err(), armed);
        let mut odd: Vec<Entity> = Vec::new();
        for (entity, number) in world.iter::<(Entity, &Number)>() {
            odd.extend((number.0 % 2 == 1).then_some(entity));
        }
        world.step(|step| odd.iter().for_each(|&entity| step.despawn(entity))).unwrap();
        let mut numbers = Vec::new();
        for number in world.iter::<&Number>() {
            numbers.push(number.0);
        }
        numbers
    }

    #[test]
    fn do_not_remember_a_step_that_has_panicked() {
        let numbers = order(true);
        assert!(!numbers.is_sorted(), "the last ones have moved into the gaps");
        assert_eq!(numbers, order(false));
    }
}
