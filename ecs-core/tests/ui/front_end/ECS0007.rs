//! ECS0007: `cfg` inside a declaration.

use ecs_core::world;
struct Trace(f32);

world! {
    world W;
    #[cfg(feature = "debug")]
    component Trace;
}

fn main() {}
