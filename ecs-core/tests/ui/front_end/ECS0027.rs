//! ECS0027: something that a sequential system cannot have.

use ecs_core::{Data, System, world};
struct Position(f32);
#[derive(Default)]
struct Collide;
impl System<W> for Collide { fn process(&self, _: &mut Data<'_, W, Self>) {} }

world! {
    world W;
    component Position: contiguous_buffer;
    system Collide { sequential, defer, write: [Position], despawn }
}

fn main() {}
