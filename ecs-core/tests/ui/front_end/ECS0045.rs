//! ECS0045: a stream that is none.

use ecs_core::{World, world};

world! {
    world W;
    system Find { run: |_| {} }
    system Note { streams: [Find], run: |_| {} }
}

fn main() {
    let mut world = World::<W>::new();
    world.tick().unwrap();
}
