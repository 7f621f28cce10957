//! ECS0166: a parent that is written.

use ecs_core::world;
struct Depth(u32);
struct ChildOf;

world! {
    world W;
    component Depth;
    relation ChildOf: one_to_many, on_despawn: despawn;
    system Sink {
        after_parent: ChildOf,
        write: [Depth],
        run: |data| data.for_after_parent::<&mut Depth>(|_, _, _| {}),
    }
}

fn main() {
    ecs_core::World::<W>::new().tick().unwrap();
}
