//! ECS0016: an unknown inner-parallelism strategy.

use ecs_core::world;
struct Position(f32);

world! {
    world W;
    component Position;
    system Move { write: [Position], parallelism: split(4), run: |_| {} }
}

fn main() {}
