//! Accumulations: several systems hit one entity in the same step, and the hits add up.
//!
//! `insert` replaces a component, so that of several values only the last one counts. `accumulate` merges them, in the same order
//! on any number of threads.
//!
//! Run it: `cargo run -p ecs-core --example 29_accumulate`

use std::error::Error;

use ecs_core::{Accumulate, Entity, World, world};

struct Health(f32);
struct Archer(Entity);
struct Burning;

/// What has hit the entity since its health was last reduced. An entity that nothing has hit has none.
struct Damage {
    sum: f32,
    hits: u32,
}

impl Accumulate for Damage {
    fn accumulate(&mut self, later: Self) {
        self.sum += later.sum;
        self.hits += later.hits;
    }
}

world! {
    world Arena { staged_changes: refresh_before_dependents }

    component Health, Archer, Damage;
    component Burning: empty;

    // These two run at the same time, in several subtasks, and need no order.
    system Shoot {
        accumulate: [Damage],
        parallelism: split_evenly(cores),
        each: |archer: &Archer, effects| effects.accumulate(archer.0, Damage { sum: 10.1, hits: 1 }),
    }
    system Burn {
        with: [Burning],
        accumulate: [Damage],
        parallelism: split_evenly(cores),
        each: |entity: Entity, effects| effects.accumulate(entity, Damage { sum: 0.3, hits: 1 }),
    }
    // A refresh comes before it, as it reads what the others have accumulated.
    system Suffer {
        dependencies: [Shoot, Burn],
        remove: [Damage],
        each: |entity: Entity, health: &mut Health, damage: &Damage, effects| {
            println!("{} hits, {} less", damage.hits, damage.sum);
            health.0 -= damage.sum;
            effects.remove::<Damage>(entity);
        },
    }
}

/// Three archers shoot at one target, which burns as well.
pub fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::<Arena>::new();
    let [target, other] = [world.spawn((Health(100.0), Burning)), world.spawn((Health(50.0),))];
    world.spawn_batch([target; 3].map(|target| (Archer(target),)));
    world.tick()?;
    let health = |entity| world.get::<Health>(entity).map(|health| health.0);
    // The sum has the bits of this order: three archers, then the fire.
    assert_eq!(health(target), Some(100.0 - (((10.1 + 10.1) + 10.1) + 0.3)));
    assert_eq!(health(other), Some(50.0));
    Ok(())
}
