//! ECS0075: a system overridden twice.

use ecs_core::{Data, System, World, world};
#[derive(Default)]
struct Move;
impl System<W> for Move { fn process(&self, _: &mut Data<'_, W, Self>) {} }

world! {
    world W;
    system Move;
}

fn main() {
    let mut world = World::<W>::new();
    world.step(|step| step.execute_with(|systems| systems.for_subtasks::<Move>(|_, _| {}).for_subtasks::<Move>(|_, _| {}))).unwrap();
}
