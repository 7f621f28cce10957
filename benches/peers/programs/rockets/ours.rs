//! Rockets burn and fly: `ecs_core`.

use ecs_core::{World, world};

struct Position(f32);
struct Velocity(f32);

world! {
    world Rockets;
    component Position, Velocity;
    system Burn { each: |velocity: &mut Velocity| velocity.0 += 1.0 }
    system Fly {
        dependencies: [Burn],
        each: |position: &mut Position, velocity: &Velocity| position.0 += velocity.0,
    }
}

pub fn main() {
    let mut world = World::<Rockets>::new();
    let rocket = world.spawn((Position(0.0), Velocity(0.0)));
    for _ in 0..2 {
        world.tick().unwrap();
    }
    println!("{}", world.get::<Position>(rocket).unwrap().0);
}
