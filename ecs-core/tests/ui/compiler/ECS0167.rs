//! ECS0167: another order beside `after_parent`.

use ecs_core::world;
struct Depth(u32);
struct ChildOf;

world! {
    world W;
    component Depth;
    relation ChildOf: one_to_many, on_despawn: despawn;
    system Sink { after_parent: ChildOf, each: |depth: &mut Depth| depth.0 += 1 }
}

fn main() {
    ecs_core::World::<W>::new().tick().unwrap();
}
