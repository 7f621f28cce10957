//! ECS0115: a right that the code does not use.

#![deny(deprecated)]
use ecs_core::world;

struct Position(f32);
struct Mass(f32);

world! {
    world Rockets;
    component Position, Mass;
    system Fly { read: [Mass], write: [Position], each: |rocket| rocket.position.0 += 1.0 }
}

fn main() {}
