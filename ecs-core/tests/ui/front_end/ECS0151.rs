//! ECS0151: change detection of a component that the system does not access.

use ecs_core::world;
struct Position(f32);
struct Sprite(u32);

world! {
    world W;
    component Position, Sprite;
    system Draw { read: [Sprite], changed: [Position], run: |_| {} }
}

fn main() {}
