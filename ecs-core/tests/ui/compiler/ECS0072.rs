//! ECS0072: a component handed out twice.

use ecs_core::{Data, System, World, world};
struct Life(f32);
#[derive(Default)]
struct Age;

world! {
    world W;
    component Life: contiguous_buffer;
    system Age { write: [Life] }
}

impl System<W> for Age {
    fn process(&self, data: &mut Data<'_, W, Self>) {
        data.own.query::<(&mut Life, &Life)>().for_each(|_| {});
    }
}

fn main() {
    let mut world = World::<W>::new();
    world.tick().unwrap();
}
