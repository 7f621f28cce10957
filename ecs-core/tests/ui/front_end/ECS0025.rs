//! ECS0025: changes at once mixed with staged ones.

use ecs_core::world;
struct Heat(f32);

world! {
    world W;
    component Heat;
    system Spread { exclusive, write: [Heat], remove: [Heat], run: |_| {} }
}

fn main() {}
