//! A parameter that is only read is written.

use ecs_core::world;

struct Position(f32);
struct Velocity(f32);

world! {
    world Rockets;
    component Position, Velocity;
    system Fly { each: |position: &Position, velocity: &Velocity| position.0 += velocity.0 }
}

fn main() {}
