//! ECS0140: undeclared random numbers.

use ecs_core::world;
struct Position(f32);

world! {
    world W;
    component Position;
    system Drift { write: [Position], each: |e, effects| e.position.0 += effects.random(e.entity).f32() }
}

fn main() {}
