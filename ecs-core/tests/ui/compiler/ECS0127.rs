//! ECS0127: a last value for two.

use ecs_core::{World, world};
struct Poison(u32);

world! {
    world W;
    component Poison;
    system Heal { removed: [Poison], run: |data| assert!(data.own.removed::<Poison>().len() < 9) }
}

fn main() {
    let mut world = World::<W>::new();
    let entity = world.spawn((Poison(3),));
    let poison = world.remove::<Poison>(entity);
    assert_eq!(poison.unwrap().0, 3);
}
