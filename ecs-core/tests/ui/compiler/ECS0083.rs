//! ECS0083: a world that cannot be cloned.

use ecs_core::{World, world};
struct Level(u32);

world! {
    world W;
    component Level;
}

fn main() {
    let world = World::<W>::new();
    let _ = world.snapshot();
}
