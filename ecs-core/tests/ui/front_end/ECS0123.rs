//! ECS0123: an event that no system emits or reads.

use ecs_core::world;
struct KeyPressed(char);

world! {
    world W;
    event KeyPressed;
}

fn main() {}
