//! ECS0008: a visibility on something other than the world.

use ecs_core::world;
struct Position(f32);

world! {
    world W;
    pub component Position;
}

fn main() {}
