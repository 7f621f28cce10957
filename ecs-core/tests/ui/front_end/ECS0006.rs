//! ECS0006: a key twice.

use ecs_core::{Data, System, world};
struct Position(f32);
struct Velocity(f32);
#[derive(Default)]
struct Move;
impl System<W> for Move { fn process(&self, _: &mut Data<'_, W, Self>) {} }

world! {
    world W;
    component Position: contiguous_buffer;
    component Velocity: contiguous_buffer;
    system Move { write: [Position], write: [Velocity] }
}

fn main() {}
