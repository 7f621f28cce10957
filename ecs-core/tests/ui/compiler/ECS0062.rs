//! ECS0062: an undeclared deferred function.

use ecs_core::world;

world! {
    world W;
    system Reset { run: |data| data.effects.defer(|_| {}) }
}

fn main() {}
