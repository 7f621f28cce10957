//! ECS0016: an unknown inner-parallelism strategy.

use ecs_core::{Data, System, world};
struct Position(f32);
#[derive(Default)]
struct Move;
impl System<W> for Move { fn process(&self, _: &mut Data<'_, W, Self>) {} }

world! {
    world W;
    component Position: contiguous_buffer;
    system Move { write: [Position], parallelism: split(4) }
}

fn main() {}
