//! ECS0145: an unknown relation of many to many.

use ecs_core::{World, world};
struct Likes(u32);

world! { world W; }

fn main() {
    let mut world = World::<W>::new();
    let one = world.spawn(());
    assert_eq!(world.targets::<Likes>(one).len(), 0);
}
