//! ECS0001: something else was expected.

use ecs_core::world;
struct Position(f32);
struct Velocity(f32);

world! {
    world W;
    component Position: contiguous_buffer
    component Velocity;
}

fn main() {}
