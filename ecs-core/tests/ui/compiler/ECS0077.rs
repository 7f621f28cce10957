//! ECS0077: a buffer larger than the address space.

use ecs_core::world;
struct Map([u8; usize::MAX >> 8]);

world! {
    world W;
    component Map;
}

fn main() {}
