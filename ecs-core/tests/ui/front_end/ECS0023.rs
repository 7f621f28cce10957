//! ECS0023: inner parallelism of a system that is one subtask.

use ecs_core::{Data, System, world};
struct Position(f32);
#[derive(Default)]
struct Solve;
impl System<W> for Solve { fn process(&self, _: &mut Data<'_, W, Self>) {} }

world! {
    world W;
    component Position: contiguous_buffer;
    system Solve { exclusive, write: [Position], parallelism: split_evenly(cores) }
}

fn main() {}
