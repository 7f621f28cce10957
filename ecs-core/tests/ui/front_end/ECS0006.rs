//! ECS0006: a key twice.

use ecs_core::world;
struct Position(f32);
struct Velocity(f32);

world! {
    world W;
    component Position, Velocity;
    system Move { write: [Position], write: [Velocity], run: |_| {} }
}

fn main() {}
