//! ECS0029: rows by archetype under a fixed limit.

use ecs_core::world;
struct Hull(u32);

world! {
    world Space { entity_limit: fixed(10_000), rows: by_archetype }
    component Hull;
}

fn main() {}
