//! Events: one system says what has happened, and others react to it in the same step.
//!
//! A system declares what it emits, and what it runs on. That orders the systems, so no event is read too early or twice.
//!
//! Run it: `cargo run -p ecs-core --example 24_events`

use std::error::Error;

use ecs_core::{Entity, World, world};

struct Health(i32);
struct Poisoned;

/// The entity has lost its last health.
struct Died(Entity);

/// The health that each entity gets.
struct Healing(i32);

#[derive(Default)]
struct Score(usize);

world! {
    world Arena;

    component Health;
    component Poisoned: empty;
    resource Score;
    event Died, Healing;

    // Runs on what the program emits: see `main`.
    system Heal {
        on: [Healing],
        write: [Health],
        run: |data| {
            let healed: i32 = data.effects.events::<Healing>().map(|healing| healing.0).sum();
            data.own.for_entities(|one| one.health.0 += healed);
        },
    }
    // Several subtasks emit at the same time. Readers find the events in the order of the entities.
    system Poison {
        parallelism: split_evenly(cores),
        dependencies: [Heal],
        with: [Poisoned],
        emit: [Died],
        each: |entity: Entity, health: &mut Health, effects| {
            health.0 -= 1;
            if health.0 == 0 {
                effects.emit(Died(entity));
            }
        },
    }
    // A system without entities goes over the events. If they are many, its subtasks share them.
    system CleanUp {
        parallelism: split_evenly(cores),
        despawn,
        each: |died: &Died, effects| effects.despawn(died.0),
    }
    system Count {
        on: [Died],
        run: |effects, score: &mut Score| score.0 += effects.events::<Died>().len(),
    }
}

/// Two of three entities are poisoned; one of them dies.
pub fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::<Arena>::new();
    world.spawn((Health(1),));
    let [weak, strong] = [1, 3].map(|health| world.spawn((Health(health), Poisoned)));
    world.tick()?;
    // What happened in the latest step can be read from outside, too.
    assert!(world.events::<Died>().map(|died| died.0).eq([weak]));
    world.emit(Healing(5));
    world.tick()?;
    println!("{} died, {} live", world.resource::<Score>().0, world.entity_count());
    assert_eq!((world.resource::<Score>().0, world.entity_count()), (1, 2));
    assert_eq!(world.get::<Health>(strong).map(|health| health.0), Some(3 - 1 + 5 - 1));
    Ok(())
}
