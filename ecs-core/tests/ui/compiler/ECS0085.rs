//! ECS0085: a state hash that cannot be derived.

use ecs_core::StateHash;

#[derive(StateHash)]
struct Level {
    value: u32,
    #[state_hash(skipped)]
    shown: u32,
}

fn main() {}
