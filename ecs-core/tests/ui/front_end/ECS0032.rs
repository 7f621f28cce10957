//! ECS0032: unordered systems in conflict.

use ecs_core::world;
struct Level(f32);
struct Below(f32);

world! {
    world W;
    component Level, Below;
    system Rise { write: [Level], run: |_| {} }
    system Fall { write: [Level], run: |_| {} }
}

fn main() {}
