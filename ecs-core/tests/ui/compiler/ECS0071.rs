//! ECS0071: outputs that cannot be concatenated.

use ecs_core::{Data, System, world};
struct Life(f32);
#[derive(Default)]
struct Count;
impl System<W> for Count { fn process(&self, _: &mut Data<'_, W, Self>) {} }

world! {
    world W;
    component Life: contiguous_buffer;
    system Count { read: [Life], parallelism: split_evenly(cores), output: u32 }
}

fn main() {}
