//! ECS0160: an unknown relation.

use ecs_core::{World, world};
struct ChildOf;

world! { world W; }

fn main() {
    let mut world = World::<W>::new();
    let [child, parent] = [(), ()].map(|()| world.spawn(()));
    world.link::<ChildOf>(child, parent).unwrap();
}
