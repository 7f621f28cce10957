//! ECS0084: a world without a state hash.

use ecs_core::{World, world};
struct Level(u32);

world! {
    world W;
    component Level;
}

fn main() {
    let world = World::<W>::new();
    let _ = world.state_hash();
}
