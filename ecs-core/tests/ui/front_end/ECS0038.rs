//! ECS0038: a system that could meet its own writes.

use ecs_core::{Data, System, world};
struct Position(f32);
struct Velocity(f32);
#[derive(Default)]
struct Separate;
impl System<W> for Separate { fn process(&self, _: &mut Data<'_, W, Self>) {} }

world! {
    world W;
    component Position: contiguous_buffer;
    component Velocity: contiguous_buffer;
    query Obstacles { read: [Position] }
    system Separate { read: [Velocity], write: [Position], queries: [Obstacles] }
}

fn main() {}
