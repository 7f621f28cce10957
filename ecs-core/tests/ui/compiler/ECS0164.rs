//! ECS0164: undeclared read of links.

use ecs_core::world;
struct Depth(u32);
struct ChildOf;

world! {
    world W;
    component Depth;
    relation ChildOf: one_to_many, on_despawn: despawn;
    system Look {
        read: [Depth],
        run: |data| for entity in data.own.query::<ecs_core::Entity>() {
            let _ = data.effects.parent::<ChildOf>(entity);
        },
    }
}

fn main() {}
