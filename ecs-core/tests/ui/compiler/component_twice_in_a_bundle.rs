//! ECS0020: a bundle with a component twice.

use ecs_core::{World, world};

struct Position(f32);

world! {
    world W;
    component Position;
}

fn main() {
    World::<W>::new().spawn((Position(0.0), Position(1.0)));
}
