//! ECS0141: random numbers of a system whose body is called several times.

use ecs_core::{World, world};
struct Position(f32);

world! {
    world W;
    component Position;
    system Drift {
        random,
        parallelism: split_evenly(cores),
        each: |position: &mut Position, effects| position.0 += effects.random_of_system().f32(),
    }
}

fn main() {
    World::<W>::new().tick().unwrap();
}
