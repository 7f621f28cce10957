//! ECS0064: not a resource of this world.

use ecs_core::{World, world};
#[derive(Default)]
struct Clock;

world! {
    world W;
}

fn main() {
    let world = World::<W>::new();
    let _ = world.resource::<Clock>();
}
