//! ECS0004: an unknown item.

use ecs_core::world;
struct Position(f32);

world! {
    world W;
    compnent Position: contiguous_buffer;
}

fn main() {}
