//! ECS0057: an undeclared write of a resource.

use ecs_core::{Data, System, world};
#[derive(Default)]
struct Clock(f32);
#[derive(Default)]
struct Tick;

world! {
    world W;
    resource Clock;
    system Tick { read_resources: [Clock] }
}

impl System<W> for Tick {
    fn process(&self, data: &mut Data<'_, W, Self>) {
        data.resources.get_mut::<Clock>().0 += 1.0;
    }
}

fn main() {}
