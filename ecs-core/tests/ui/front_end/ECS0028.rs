//! ECS0028: an unknown stage.

use ecs_core::{Data, System, world};
#[derive(Default)]
struct Paint;
impl System<W> for Paint { fn process(&self, _: &mut Data<'_, W, Self>) {} }

world! {
    world W;
    stages Simulate -> Draw;
    system Paint { stage: Drew }
}

fn main() {}
