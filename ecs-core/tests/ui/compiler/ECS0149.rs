//! ECS0149: a world that cannot be saved.

use ecs_core::{World, world};
struct Level(u32);

world! {
    world W;
    component Level;
}

fn main() {
    let world = World::<W>::new();
    let _ = world.save(Vec::new());
}
