//! Updates: two systems give new values to the same component of different entities at the same time.

mod order;
mod phases;

use ecs_core::SystemName;
use ecs_core::scheduler::{Delayed, Shuffled, assert_orderless};
use ecs_core::settings::{Scheduled, Settings};
use ecs_core::{
    Data, Entity, Place, StateHash, StepError, System, Threads, World, access::Updates, world,
};

use crate::support::{caught, every_kind, fresh, mix};

#[derive(Clone, Copy, Debug, PartialEq, StateHash)]
struct Int(i64);

/// Excludes an entity from all updates.
#[derive(Clone, Copy, StateHash)]
struct Apart;

world! {
    world Ints { entity_limit: dynamic(16) }
    component Int: contiguous_buffer;
    component Apart: empty;

    system Increment: Adjust {
        parallelism: split_every(64),
        state: Adjust { bound: 4, by: 1 },
        update: [Int],
        without: [Apart],
    }
    system Decrement: Adjust {
        parallelism: split_evenly(cores),
        state: Adjust { bound: 4, by: -1 },
        update: [Int],
        without: [Apart],
    }
    system Report { parallelism: split_every(64), read_any: [Int], with: [Int], output: Vec<i64> }
    system Meddle { transient, state: Meddle(None), update: [Int], without: [Apart] }
}

/// Moves numbers towards the bound, from below or from above.
#[derive(Clone, StateHash)]
struct Adjust {
    bound: i64,
    by: i64,
}

impl<N> System<Ints, N> for Adjust
where
    N: SystemName<Ints, System = Self> + Updates<Int, Ints>,
{
    fn process(&self, data: &mut Data<'_, Ints, N>) {
        let Data { own, effects, .. } = data;
        own.query::<(Place, &Int)>().for_each(|(place, int)| {
            if (int.0 < self.bound) == (self.by > 0) {
                effects.update(place, Int(int.0 + self.by));
            }
        });
    }
}

/// Reads all numbers while the two systems run.
#[derive(Default)]
struct Report;

impl System<Ints> for Report {
    fn process(&self, data: &mut Data<'_, Ints, Self>) {
        let any = data.effects.read_any::<Int>();
        let Data { own, effects, .. } = data;
        own.query::<Place>().for_each(|place| {
            effects.output().push(any.get(place).map_or(0, |int| int.0));
        });
    }
}

/// Updates this entity, whether or not it is one of its own.
struct Meddle(Option<Entity>);

impl System<Ints> for Meddle {
    fn process(&self, data: &mut Data<'_, Ints, Self>) {
        if let Some(entity) = self.0 {
            data.effects.update(entity, Int(1_000));
        }
    }
}

/// More entities than fit into a chunk.
const COUNT: u64 = 20_000;

fn start() -> Vec<i64> {
    (0..COUNT).map(|n| mix(n) as i64 % 9).collect()
}

fn spawn<S: Settings>(world: &mut World<Ints, S>, ints: &[i64]) -> Vec<Entity> {
    let entities = ints.iter().map(|&int| (Int(int),));
    let entities: Vec<_> = entities.collect();
    world.step(|step| entities.iter().map(|&bundle| step.spawn(bundle)).collect()).unwrap()
}

fn ints<S: Settings>(world: &World<Ints, S>) -> Vec<i64> {
    let mut ints = Vec::new();
    for int in world.iter::<&Int>() {
        ints.push(int.0);
    }
    ints
}

/// The reports of several steps, and the world's hash after them.
fn run<S: Settings>(
    mut world: World<Ints, S>,
    ints: &[i64],
    steps: usize,
) -> (Vec<StepError>, u64) {
    spawn(&mut world, ints);
    let errors = (0..steps).filter_map(|_| world.tick().err());
    (errors.collect(), world.state_hash())
}

#[test]
fn systems_that_keep_to_entities_of_their_own_run_at_once() {
    let mut expected = start();
    for threads in every_kind() {
        let mut world = World::<Ints>::on(threads);
        let mut now = start();
        spawn(&mut world, &now);
        for step in 0..4 {
            // The bound is known at run time only.
            let bound = 4 - step;
            world.system_mut::<Increment>().bound = bound;
            world.system_mut::<Decrement>().bound = bound;
            let step = world.step(|step| {
                step.execute_systems();
                let mut reported = Vec::new();
                step.output_parts_of::<Report>()
                    .for_each(|output| reported.extend_from_slice(output));
                assert_eq!(reported, now, "until the refresh all systems read the old values");
            });
            assert_eq!(step, Ok(()));
            for int in &mut now {
                *int += if *int < bound { 1 } else { -1 };
            }
            assert_eq!(ints(&world), now);
        }
        expected = now;
    }
    assert_ne!(expected, start());
}

#[test]
fn the_order_of_systems_and_subtasks_does_not_show() {
    // In the second case, the updates of the fours conflict.
    for (bound, numbers) in [(4, start()), (5, start())] {
        let set = |mut world: World<Ints, Scheduled<Ints, Shuffled>>| {
            world.system_mut::<Increment>().bound = bound;
            world
        };
        let late = |mut world: World<Ints, Scheduled<Ints, Delayed>>| {
            world.system_mut::<Increment>().bound = bound;
            world
        };
        let mut world = World::<Ints>::on(Threads::Inline);
        world.system_mut::<Increment>().bound = bound;
        let expected = run(world, &numbers, 3);
        assert_eq!(expected.0.len(), if bound == 4 { 0 } else { 3 });
        assert_orderless(0..10, &expected, |seed| {
            let make = |dag: &_| Shuffled::seeded(dag, seed);
            run(set(World::with_scheduler(Threads::Inline, make)), &numbers, 3)
        });
        let threads = fresh(4);
        assert_orderless(0..4, &expected, |seed| {
            let make = |dag: &_| Delayed::seeded(dag, seed);
            run(late(World::with_scheduler(threads.clone(), make)), &numbers, 3)
        });
    }
}

#[test]
fn a_conflict_is_reported_and_neither_update_counts() {
    for threads in every_kind() {
        for count in [300, COUNT] {
            let mut world = World::<Ints>::on(threads.clone());
            let before: Vec<i64> =
                (0..count).map(|n| if n < count / 2 { 0 } else { mix(n) as i64 % 9 }).collect();
            let entities = spawn(&mut world, &before);
            world.system_mut::<Increment>().bound = 6;
            let first = before.iter().position(|int| (4..6).contains(int)).unwrap();
            let conflict = StepError::UpdateConflict {
                component: "Int",
                systems: ["Increment", "Decrement"],
                entity: entities[first],
            };
            assert_eq!(world.tick(), Err(conflict));
            let after = before.iter().map(|&int| match int {
                4 | 5 => int,
                ..4 => int + 1,
                _ => int - 1,
            });
            assert_eq!(ints(&world), after.collect::<Vec<_>>());
            // The world stays usable.
            world.system_mut::<Increment>().bound = 4;
            assert_eq!(world.tick(), Ok(()));
        }
    }
    let conflict = StepError::UpdateConflict {
        component: "Int",
        systems: ["Increment", "Decrement"],
        entity: spawn(&mut World::<Ints>::new(), &[1])[0],
    };
    assert_eq!(
        conflict.to_string(),
        "the systems `Increment` and `Decrement` both update `Int` of 0v1, and nothing orders them; let \
         them update different entities, or order them: then the later update counts"
    );
}

#[test]
fn several_executions_in_one_step_are_applied_together() {
    let mut world = World::<Ints>::new();
    spawn(&mut world, &[3, 8]);
    let twice = |step: &mut ecs_core::Step<'_, Ints, _>| {
        step.execute_systems();
        step.execute_systems();
    };
    // The second execution has seen the same values as the first.
    assert_eq!(world.step(twice), Ok(()));
    assert_eq!(ints(&world), [4, 7]);
}

#[test]
fn only_own_entities_are_updated() {
    let mut world = World::<Ints>::new();
    let entities = spawn(&mut world, &[1, 2, 3]);
    let [first, second, third] = entities[..] else { unreachable!() };
    world.step(|step| step.insert(second, Apart).is_ok()).unwrap();
    world.step(|step| step.despawn(third)).unwrap();
    let mut update = |entity| {
        world.system_mut::<Meddle>().0 = Some(entity);
        let step = caught(|| {
            world.step(|step| step.execute_systems_from::<(Meddle,)>()).unwrap();
        });
        (step, world.get::<Int>(entity).map(|int| int.0))
    };
    assert_eq!(update(first), ("no panic".to_owned(), Some(1_000)));
    let message = "the system `Meddle` would update `Int` of an entity that is not one of its own";
    assert_eq!(update(second), (message.to_owned(), Some(2)));
    assert_eq!(update(third), ("no panic".to_owned(), None));
}
