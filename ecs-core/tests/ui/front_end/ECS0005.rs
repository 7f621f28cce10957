//! ECS0005: an unknown key.

use ecs_core::world;
struct Position(f32);

world! {
    world W;
    component Position;
    system Move { wirte: [Position], run: |_| {} }
}

fn main() {}
