//! ECS0063: not a component of this world.

use ecs_core::{World, world};
struct Name;
struct Position(f32);

world! {
    world W;
    component Position;
}

fn main() {
    let mut world = World::<W>::new();
    let _ = world.step(|step| step.spawn((Position(0.0), Name)));
}
