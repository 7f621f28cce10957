//! ECS0047: a stream between systems in order.

use ecs_core::{Stream, World, world};

world! {
    world W;
    system Find { output: Stream<u32>, run: |_| {} }
    system Note { streams: [Find], dependencies: [Find], run: |_| {} }
}

fn main() {
    let mut world = World::<W>::new();
    world.tick().unwrap();
}
