//! ECS0113: a component that the system does not declare.

use ecs_core::world;

struct Position(f32);
struct Velocity(f32);

world! {
    world Rockets;
    component Position, Velocity;
    system Fly { read: [Velocity], each: |rocket| rocket.position.0 += rocket.velocity.0 }
}

fn main() {}
