//! ECS0036: unordered systems that change the same component.

use ecs_core::world;
struct Position(f32);
struct Burning(f32);

world! {
    world W;
    component Position, Burning;
    system Ignite { read: [Position], insert: [Burning], run: |_| {} }
    system Explode { read: [Position], insert: [Burning], run: |_| {} }
}

fn main() {}
