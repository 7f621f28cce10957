//! ECS0012: an unknown system.

use ecs_core::world;

world! {
    world W;
    system Draw { dependencies: [Move], run: |_| {} }
}

fn main() {}
