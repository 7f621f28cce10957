//! A scheduler in the declaration that is none: at its own token.

use ecs_core::world;

struct Clock;

world! {
    world W { entity_limit: fixed(100), scheduler: Clock }
}

fn main() {}
