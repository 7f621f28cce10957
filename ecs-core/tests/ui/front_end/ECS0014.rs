//! ECS0014: an unknown storage strategy.

use ecs_core::world;
struct Name(f32);

world! {
    world W;
    component Name: hashmap;
}

fn main() {}
