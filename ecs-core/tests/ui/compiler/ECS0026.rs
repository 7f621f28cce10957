//! ECS0026: a subscription by hand to a system that subscribes by itself.

use ecs_core::{World, world};
struct Health(u32);

world! {
    world W;
    component Health;
    system Watch { read: [Health], run: |_| {} }
}

fn main() {
    let mut world = World::<W>::new();
    world.step(|step| {
        let entity = step.spawn((Health(1),));
        step.subscribe::<Watch>(entity).unwrap();
    })
    .unwrap();
}
