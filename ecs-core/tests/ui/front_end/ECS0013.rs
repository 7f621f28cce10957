//! ECS0013: an unknown resource.

use ecs_core::{Data, System, world};
#[derive(Default)]
struct Move;
impl System<W> for Move { fn process(&self, _: &mut Data<'_, W, Self>) {} }

world! {
    world W;
    system Move { read_resources: [TimeStep] }
}

fn main() {}
