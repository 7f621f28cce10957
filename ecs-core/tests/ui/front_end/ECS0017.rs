//! ECS0017: a number out of range.

use ecs_core::world;

world! {
    world W { entity_limit: fixed(0) }
}

fn main() {}
