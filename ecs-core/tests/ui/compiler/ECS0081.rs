//! ECS0081: not a storage strategy.

use ecs_core::world;
struct Name(u32);
struct Ring;

world! {
    world W;
    component Name: storage(Ring);
}

fn main() {}
