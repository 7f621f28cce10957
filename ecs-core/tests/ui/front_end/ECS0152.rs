//! ECS0152: unordered writers of a tracked component.

use ecs_core::world;
struct Level(f32);
struct Below(f32);

world! {
    world W;
    component Level, Below;
    system Rise { write: [Level], with: [Below], run: |_| {} }
    system Fall { write: [Level], without: [Below], run: |_| {} }
    system Draw { read: [Level], changed: [Level], dependencies: [Rise, Fall], run: |_| {} }
}

fn main() {}
