//! ECS0003: a second world.

use ecs_core::world;

world! {
    world Day;
    world Night;
}

fn main() {}
