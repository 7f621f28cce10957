//! ECS0051: an undeclared write.

use ecs_core::{Data, System, world};
struct Position(f32);
#[derive(Default)]
struct Move;

world! {
    world W;
    component Position: contiguous_buffer;
    system Move { read: [Position] }
}

impl System<W> for Move {
    fn process(&self, data: &mut Data<'_, W, Self>) {
        data.own.query::<&mut Position>().for_each(|position| position.0 += 1.0);
    }
}

fn main() {}
