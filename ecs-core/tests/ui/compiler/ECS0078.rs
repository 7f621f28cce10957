//! ECS0078: a look from outside that would write.

use ecs_core::{World, world};
struct Life(f32);

world! {
    world W;
    component Life;
}

fn main() {
    let world = World::<W>::new();
    for life in world.iter::<&mut Life>() {
        life.0 = 1.0;
    }
}
