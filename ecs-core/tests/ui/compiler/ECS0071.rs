//! ECS0071: outputs that cannot be concatenated.

use ecs_core::world;
struct Life(f32);

world! {
    world W;
    component Life;
    system Count { read: [Life], parallelism: split_evenly(cores), output: u32, run: |_| {} }
}

fn main() {}
