//! A world with two components and one system.
//!
//! A component is a plain type. A system is a signature, which says what components it accesses, and code.
//! Systems run in a step; `tick` takes one that executes each system once.
//!
//! Run it: `cargo run -p ecs-core --example 01_hello`

use std::error::Error;

use ecs_core::{World, world};

#[derive(Clone, Copy, Debug, PartialEq)]
struct Position(f32);
struct Velocity(f32);

world! {
    world Line;

    component Position, Velocity;

    // The code is called with every entity that has a `Position` and a `Velocity`. The types of its parameters declare
    // that it writes the one and reads the other.
    system Move { each: |position: &mut Position, velocity: &Velocity| position.0 += velocity.0 }
}

/// Spawns two entities, takes three steps, and prints where the entities are after each.
pub fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::<Line>::new();
    let car = world.spawn((Position(0.0), Velocity(1.5)));
    // Without a `Velocity` the entity does not match `Move`.
    let tree = world.spawn((Position(4.0),));

    for step in 1..=3 {
        world.tick()?;
        let [car, tree] = [car, tree].map(|entity| world.get::<Position>(entity).copied());
        println!("after step {step}: car {car:?}, tree {tree:?}");
    }

    assert_eq!(world.get(car), Some(&Position(4.5)));
    assert_eq!(world.get(tree), Some(&Position(4.0)));
    Ok(())
}
