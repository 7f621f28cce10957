//! ECS0074: a step that starts from dependent systems.

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
    world.step(|step| step.execute_systems_from::<(First, Second)>()).unwrap();
}
