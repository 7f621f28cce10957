//! ECS0161: a relation in the place of a resource, or the other way round.

use ecs_core::world;
struct Depth(u32);
struct ChildOf;

world! {
    world W;
    component Depth;
    relation ChildOf: one_to_many, on_despawn: despawn;
    system Read { read_resources: [ChildOf], run: |_| {} }
}

fn main() {}
