//! ECS0076: an override that is never called.

use ecs_core::{World, world};

world! {
    world W;
    system First { run: |_| {} }
    system Second { dependencies: [First], run: |_| {} }
}

fn main() {
    let mut world = World::<W>::new();
    let never = world.step(|step| {
        step.execute_with(|systems| {
            systems.from::<(Second,)>().for_subtasks::<First>(|_, _| {})
        });
    });
    never.unwrap();
}
