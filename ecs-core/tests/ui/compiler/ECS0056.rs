//! ECS0056: an undeclared read of a resource.

use ecs_core::world;
#[derive(Default)]
struct Clock(f32);

world! {
    world W;
    resource Clock;
    system Move { run: |data| { let _clock = data.resources.get::<Clock>(); } }
}

fn main() {}
