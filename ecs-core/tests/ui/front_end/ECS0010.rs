//! ECS0010: a name declared twice.

use ecs_core::world;
struct Level(f32);
struct Below(f32);

world! {
    world W;
    component Level, Below;
    system Adjust { write: [Level], with: [Below], run: |_| {} }
    system Adjust { write: [Level], without: [Below] }
}

fn main() {}
