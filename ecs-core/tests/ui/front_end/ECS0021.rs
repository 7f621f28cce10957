//! ECS0021: lists that contradict each other.

use ecs_core::{Data, System, world};
struct Position(f32);
#[derive(Default)]
struct Move;
impl System<W> for Move { fn process(&self, _: &mut Data<'_, W, Self>) {} }

world! {
    world W;
    component Position: contiguous_buffer;
    system Move { read: [Position], write: [Position] }
}

fn main() {}
