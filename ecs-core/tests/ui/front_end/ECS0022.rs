//! ECS0022: several subtasks would write a resource.

use ecs_core::{Data, System, world};
struct Life(f32);
#[derive(Default)]
struct Score(f32);
#[derive(Default)]
struct Count;
impl System<W> for Count { fn process(&self, _: &mut Data<'_, W, Self>) {} }

world! {
    world W;
    component Life: contiguous_buffer;
    resource Score;
    system Count { read: [Life], parallelism: split_evenly(cores), write_resources: [Score] }
}

fn main() {}
