//! ECS0026: a subscription by hand to a system that subscribes by itself.

use ecs_core::{Data, System, World, world};
struct Health(u32);
#[derive(Default)]
struct Watch;
impl System<W> for Watch { fn process(&self, _: &mut Data<'_, W, Self>) {} }

world! {
    world W;
    component Health: contiguous_buffer;
    system Watch { read: [Health] }
}

fn main() {
    let mut world = World::<W>::new();
    world.step(|step| {
        let entity = step.spawn((Health(1),));
        step.subscribe::<Watch>(entity).unwrap();
    })
    .unwrap();
}
