//! ECS0009: code in the declaration beside what excludes it.

use ecs_core::world;
struct Level(u32);

world! {
    world W;
    component Level;
    system Rise { write: [Level], state: 3, each: |e| e.level.0 += 1 }
}

fn main() {}
