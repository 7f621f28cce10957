//! ECS0013: an unknown resource.

use ecs_core::world;

world! {
    world W;
    system Move { read_resources: [TimeStep], run: |_| {} }
}

fn main() {}
