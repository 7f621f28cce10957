//! ECS0058: an undeclared despawn.

use ecs_core::world;
struct Life(f32);

world! {
    world W;
    component Life;
    system Age { with: [Life], each: |e, effects| effects.despawn(e.entity) }
}

fn main() {}
