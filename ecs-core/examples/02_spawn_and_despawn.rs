//! Entities are spawned and despawned: by the program at once, by a system as an effect.
//!
//! A system declares its effects (`despawn`, `spawn: [..]`). They are staged while systems run, and applied at the
//! refresh that ends the step.
//!
//! Run it: `cargo run -p ecs-core --example 02_spawn_and_despawn`

use std::error::Error;

use ecs_core::{Place, World, world};

struct Fuel(u32);
struct Spark;

world! {
    world Rockets;

    component Fuel;
    component Spark: empty;

    // A `Place` is where the entity lies in this step, which is enough for effects. The parameter without a type is the effects:
    // what happens at the refresh.
    system Burn {
        despawn,
        spawn: [Spark],
        each: |rocket: Place, fuel: &mut Fuel, effects| {
            fuel.0 -= 1;
            if fuel.0 == 0 {
                effects.despawn(rocket);
                effects.spawn((Spark,));
            }
        },
    }
}

/// Two of three rockets burn out. Each leaves a spark.
pub fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::<Rockets>::new();
    // `spawn_batch` is the fast way to spawn many entities.
    let rockets = world.spawn_batch([1, 2, 5].map(|fuel| (Fuel(fuel),)));

    for step in 1..=2 {
        world.tick()?;
        let alive = rockets.iter().filter(|&&rocket| world.is_alive(rocket)).count();
        println!("after step {step}: {alive} rockets of {} entities", world.entity_count());
    }
    assert_eq!(
        rockets.iter().map(|&r| world.is_alive(r)).collect::<Vec<_>>(),
        [false, false, true]
    );
    assert_eq!(world.entity_count(), 3);

    // A new entity may take the index of a despawned one. The old handle stays dead.
    let new = world.spawn((Fuel(9),));
    println!("{:?} is alive, {:?} is not", new, rockets[0]);
    assert!(world.is_alive(new) && !world.is_alive(rockets[0]));
    assert!(world.get::<Fuel>(rockets[0]).is_none());
    Ok(())
}
