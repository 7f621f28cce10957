//! ECS0023: inner parallelism of a system that is one subtask.

use ecs_core::world;
struct Position(f32);

world! {
    world W;
    component Position;
    system Solve { exclusive, write: [Position], parallelism: split_evenly(cores), run: |_| {} }
}

fn main() {}
