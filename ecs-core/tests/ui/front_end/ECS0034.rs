//! ECS0034: an order that follows from others.

#![deny(deprecated)]
use ecs_core::world;

world! {
    world W;
    system Sense { run: |_| {} }
    system Think { dependencies: [Sense], run: |_| {} }
    system Act { dependencies: [Think, Sense], run: |_| {} }
}

fn main() {}
