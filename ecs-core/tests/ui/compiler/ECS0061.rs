//! ECS0061: an undeclared spawn.

use ecs_core::{Data, System, world};
struct Life(f32);
#[derive(Default)]
struct Breed;

world! {
    world W;
    component Life: contiguous_buffer;
    system Breed { read: [Life] }
}

impl System<W> for Breed {
    fn process(&self, data: &mut Data<'_, W, Self>) {
        data.effects.spawn((Life(1.0),));
    }
}

fn main() {}
