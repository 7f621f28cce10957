//! ECS0065: not a system of this world.

use ecs_core::{World, world};
struct Draw;

world! {
    world W;
    system Move { run: |_| {} }
}

fn main() {
    let mut world = World::<W>::new();
    world.step(|step| step.execute_systems_from::<(Draw,)>()).unwrap();
}
