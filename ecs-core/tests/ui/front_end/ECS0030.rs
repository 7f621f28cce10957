//! ECS0030: a system that depends on itself.

use ecs_core::world;

world! {
    world W;
    system Move { dependencies: [Move], run: |_| {} }
}

fn main() {}
