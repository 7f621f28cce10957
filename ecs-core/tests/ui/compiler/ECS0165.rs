//! ECS0165: parents before children, undeclared.

use ecs_core::world;
struct Depth(u32);
struct ChildOf;

world! {
    world W;
    component Depth;
    relation ChildOf: one_to_many, on_despawn: despawn;
    system Sink { write: [Depth], run: |data| data.for_after_parent::<&Depth>(|_, _, _| {}) }
}

fn main() {}
