//! ECS0057: an undeclared write of a resource.

use ecs_core::world;
#[derive(Default)]
struct Clock(f32);

world! {
    world W;
    resource Clock;
    system Tick { read_resources: [Clock], run: |data| data.resources.get_mut::<Clock>().0 += 1.0 }
}

fn main() {}
