//! ECS0027: something that a sequential system cannot have.

use ecs_core::world;
struct Position(f32);

world! {
    world W;
    component Position;
    system Collide { sequential, defer, write: [Position], despawn, run: |_| {} }
}

fn main() {}
