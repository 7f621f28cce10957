//! ECS0162: something that does not go with `after_parent`.

use ecs_core::world;
struct Depth(u32);
struct ChildOf;

world! {
    world W;
    component Depth;
    relation ChildOf: one_to_many, on_despawn: despawn;
    system Sink { after_parent: ChildOf, write: [Depth], exclusive, run: |_| {} }
}

fn main() {}
