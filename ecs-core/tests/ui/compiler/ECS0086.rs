//! ECS0086: an undeclared query.

use ecs_core::{Data, System, world};
struct Position(f32);
#[derive(Default)]
struct Meet;

world! {
    world W;
    component Position: contiguous_buffer;
    query All { read: [Position] }
    system Meet { read: [Position] }
}

impl System<W> for Meet {
    fn process(&self, data: &mut Data<'_, W, Self>) {
        data.for_pairs::<All, &Position, &Position>(|_, _| {});
    }
}

fn main() {}
