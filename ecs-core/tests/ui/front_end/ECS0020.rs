//! ECS0020: something twice in one list.

use ecs_core::world;
struct Position(f32);

world! {
    world W;
    component Position;
    system Move { write: [Position, Position], run: |_| {} }
}

fn main() {}
