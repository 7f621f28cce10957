//! ECS0163: undeclared links.

use ecs_core::world;
struct Depth(u32);
struct ChildOf;

world! {
    world W;
    component Depth;
    relation ChildOf: one_to_many, on_despawn: despawn;
    system Join {
        read: [Depth],
        run: |data| for entity in data.own.query::<ecs_core::Entity>() {
            data.effects.unlink::<ChildOf>(entity);
        },
    }
}

fn main() {}
