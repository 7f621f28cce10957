//! ECS0145: an unknown relation of many to many.

use ecs_core::{World, world};
struct Likes(u32);

world! { world W; }

fn main() {
    let mut world = World::<W>::new();
    let [one, other] = [(), ()].map(|()| world.spawn(()));
    world.insert_link(one, other, Likes(3)).unwrap();
}
