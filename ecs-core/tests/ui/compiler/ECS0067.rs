//! ECS0067: a system without a body.

use ecs_core::world;
#[derive(Default)]
struct Move;

world! {
    world W;
    system Move;
}

fn main() {}
