//! ECS0060: an undeclared removal.

use ecs_core::world;
struct Life(f32);
struct Frozen(f32);

world! {
    world W;
    component Life, Frozen;
    system Thaw { with: [Life], each: |e, effects| effects.remove::<Frozen>(e.entity) }
}

fn main() {}
