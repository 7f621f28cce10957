//! ECS0075: a system overridden twice.

use ecs_core::{World, world};

world! {
    world W;
    system Move { run: |_| {} }
}

fn main() {
    let mut world = World::<W>::new();
    let twice = world.step(|step| {
        step.execute_with(|systems| {
            systems.for_subtasks::<Move>(|_, _| {}).for_subtasks::<Move>(|_, _| {})
        });
    });
    twice.unwrap();
}
