//! ECS0021: lists that contradict each other.

use ecs_core::world;
struct Position(f32);

world! {
    world W;
    component Position;
    system Move { read: [Position], write: [Position], run: |_| {} }
}

fn main() {}
