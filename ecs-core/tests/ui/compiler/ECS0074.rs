//! ECS0074: a step that starts from dependent systems.

use ecs_core::{World, world};

world! {
    world W;
    system First { run: |_| {} }
    system Second { dependencies: [First], run: |_| {} }
}

fn main() {
    let mut world = World::<W>::new();
    world.step(|step| step.execute_systems_from::<(First, Second)>()).unwrap();
}
