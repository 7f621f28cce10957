//! ECS0046: a stream with more than two ends.

use ecs_core::{Stream, World, world};

world! {
    world W;
    system Find { output: Stream<u32>, run: |_| {} }
    system Note { streams: [Find], run: |_| {} }
    system Other { streams: [Find], run: |_| {} }
}

fn main() {
    let mut world = World::<W>::new();
    world.tick().unwrap();
}
