//! ECS0065: not a system of this world.

use ecs_core::{Data, System, World, world};
#[derive(Default)]
struct Draw;
impl<D: ecs_core::Declaration, N: ecs_core::SystemName<D>> System<D, N> for Draw {
    fn process(&self, _: &mut Data<'_, D, N>) {}
}
#[derive(Default)]
struct Move;
impl System<W> for Move { fn process(&self, _: &mut Data<'_, W, Self>) {} }

world! {
    world W;
    system Move;
}

fn main() {
    let mut world = World::<W>::new();
    world.step(|step| step.execute_systems_from::<(Draw,)>().run()).unwrap();
}
