//! ECS0002: no world.

use ecs_core::world;
struct Position(f32);

world! {
    component Position;
}

fn main() {}
