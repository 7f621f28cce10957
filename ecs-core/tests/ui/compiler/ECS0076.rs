//! ECS0076: an override that is never called.

use ecs_core::{Data, System, World, world};
#[derive(Default)]
struct First;
impl System<W> for First { fn process(&self, _: &mut Data<'_, W, Self>) {} }
#[derive(Default)]
struct Second;
impl System<W> for Second { fn process(&self, _: &mut Data<'_, W, Self>) {} }

world! {
    world W;
    system First;
    system Second { dependencies: [First] }
}

fn main() {
    let mut world = World::<W>::new();
    world.step(|step| step.execute_with(|systems| systems.from::<(Second,)>().for_subtasks::<First>(|_, _| {}))).unwrap();
}
