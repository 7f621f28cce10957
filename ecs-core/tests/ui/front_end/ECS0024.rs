//! ECS0024: a threshold without effect.

use ecs_core::world;
struct Position(f32);

world! {
    world W;
    component Position;
    system Move {
        write: [Position],
        parallelism: none_below_threshold(1, split_evenly(cores)),
        run: |_| {},
    }
}

fn main() {}
