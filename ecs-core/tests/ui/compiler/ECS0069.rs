//! ECS0069: a type in a place that needs another kind.

use ecs_core::world;
#[derive(Default)]
struct Total(u32);

world! {
    world W;
    system Count { output: Total, run: |_| {} }
}

fn main() {}
