//! ECS0059: an undeclared insertion.

use ecs_core::world;
struct Life(f32);
struct Frozen(f32);

world! {
    world W;
    component Life, Frozen;
    system Age { with: [Life], each: |e, effects| effects.insert(e.entity, Frozen(1.0)) }
}

fn main() {}
