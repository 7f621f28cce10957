//! ECS0010: a name declared twice.

use ecs_core::{Data, System, world};
struct Level(f32);
struct Below(f32);
#[derive(Default)]
struct Adjust;
impl System<W> for Adjust { fn process(&self, _: &mut Data<'_, W, Self>) {} }

world! {
    world W;
    component Level: contiguous_buffer;
    component Below: contiguous_buffer;
    system Adjust { write: [Level], with: [Below] }
    system Adjust { write: [Level], without: [Below] }
}

fn main() {}
