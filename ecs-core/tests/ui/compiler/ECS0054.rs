//! ECS0054: a look at slices.

use ecs_core::{Data, System, world};
struct Position(f32);
#[derive(Default)]
struct Count;

world! {
    world W;
    component Position: contiguous_buffer;
    system Count { read: [Position] }
}

impl System<W> for Count {
    fn process(&self, data: &mut Data<'_, W, Self>) {
        let _count = data.own.entity_count();
    }
}

fn main() {}
