//! ECS0025: changes at once mixed with staged ones.

use ecs_core::{Data, System, world};
struct Heat(f32);
#[derive(Default)]
struct Spread;
impl System<W> for Spread { fn process(&self, _: &mut Data<'_, W, Self>) {} }

world! {
    world W;
    component Heat: contiguous_buffer;
    system Spread { exclusive, write: [Heat], remove: [Heat] }
}

fn main() {}
