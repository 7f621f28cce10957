//! Components that expire: sparks burn out, and a shield holds for three steps.
//!
//! The declaration names the field that counts down, and the system that counts. That has its place in the order like
//! every other one, so it is plain whether the last step still counts.
//!
//! Run it: `cargo run -p ecs-core --example 34_expires`

use std::error::Error;

use ecs_core::{Entity, World, world};

struct Health(i32);
/// Hits do no harm, as long as it is there.
struct Shield {
    left: u32,
}
/// A spark, and for how many steps it burns.
struct Spark(u8);

world! {
    world Forge;

    component Health;
    component Shield: hash_map, expires(left);
    component Spark: expires(0);

    system Strike {
        spawn: [Spark],
        without: [Shield],
        each: |health: &mut Health, effects| {
            health.0 -= 1;
            effects.spawn_batch([1, 2, 3].map(|steps| (Spark(steps),)));
        },
    }
    system Weaken { expire: Shield, dependencies: [Strike] }
    // Beside `despawn`, the entity goes with its component.
    system Burn { expire: Spark, despawn }
    system Report {
        sees: [Weaken.remove],
        removed: [Shield],
        run: |data| {
            for (smith, _) in data.own.removed::<Shield>() {
                println!("the shield of {smith:?} is gone");
            }
        },
    }
}

/// The smith is struck from the fourth step on, and six sparks burn at a time.
pub fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::<Forge>::new();
    let smith: Entity = world.spawn((Health(10), Shield { left: 3 }));
    for step in 1..=6 {
        world.tick()?;
        let health = world.get::<Health>(smith).map_or(0, |health| health.0);
        let sparks = world.iter::<&Spark>().count();
        println!("step {step}: health {health}, {sparks} sparks");
        assert_eq!(world.contains::<Shield>(smith), step < 3);
        assert_eq!((health, sparks), [(10, 0), (10, 0), (10, 0), (9, 3), (8, 5), (7, 6)][step - 1]);
    }
    Ok(())
}
