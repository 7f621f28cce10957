//! ECS0048: a refresh between the ends of a stream.

use ecs_core::{Stream, World, world};
struct Life(u32);
struct Seed(u32);

world! {
    world W { staged_changes: refresh_before_dependents }
    component Life, Seed;
    system Sow { read: [Life], spawn: [Seed], run: |_| {} }
    system Find { read: [Life], output: Stream<u32>, run: |_| {} }
    system Note { streams: [Find], read: [Seed], dependencies: [Sow], run: |_| {} }
}

fn main() {
    let mut world = World::<W>::new();
    world.tick().unwrap();
}
