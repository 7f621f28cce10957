//! ECS0011: an unknown component.

use ecs_core::world;
struct Position(f32);

world! {
    world W;
    component Position;
    system Move { write: [Positoin], run: |_| {} }
}

fn main() {}
