//! ECS0015: an unknown value of a setting.

use ecs_core::world;

world! {
    world W { entity_limit: fixd(400_000), scheduler: atomic_counter }
}

fn main() {}
