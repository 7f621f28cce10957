//! ECS0129: a component that expires and is not counted down.

use ecs_core::world;
struct Health(i32);
struct Poison {
    left: u32,
}

world! {
    world W;
    component Health;
    component Poison: expires(left);
    system Suffer { with: [Poison], each: |health: &mut Health| health.0 -= 1 }
}

fn main() {}
