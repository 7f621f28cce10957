//! ECS0037: changes at once that an unordered system sees or not.

use ecs_core::world;
struct Position(f32);

world! {
    world W;
    component Position;
    system Collide { sequential, read: [Position], despawn, run: |_| {} }
    system Draw { read: [Position], run: |_| {} }
}

fn main() {}
