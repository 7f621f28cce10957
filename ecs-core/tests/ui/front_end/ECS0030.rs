//! ECS0030: a system that depends on itself.

use ecs_core::{Data, System, world};
#[derive(Default)]
struct Move;
impl System<W> for Move { fn process(&self, _: &mut Data<'_, W, Self>) {} }

world! {
    world W;
    system Move { dependencies: [Move] }
}

fn main() {}
