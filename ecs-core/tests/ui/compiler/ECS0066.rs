//! ECS0066: not a bundle.

use ecs_core::{World, world};
struct Life(f32);

world! {
    world W;
    component Life;
}

fn main() {
    let mut world = World::<W>::new();
    world.step(|step| step.spawn(Life(1.0))).unwrap();
}
