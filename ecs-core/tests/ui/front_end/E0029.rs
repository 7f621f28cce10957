//! E0029: rows by kind under a fixed limit.

use ecs_core::world;
struct Hull(u32);

world! {
    world Space { entity_limit: fixed(10_000), rows: by_kind }
    component Hull: contiguous_buffer;
}

fn main() {}
