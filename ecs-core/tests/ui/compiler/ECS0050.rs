//! ECS0050: an undeclared read.

use ecs_core::{Data, System, world};
struct Position(f32);
struct Velocity(f32);
#[derive(Default)]
struct Move;

world! {
    world W;
    component Position: contiguous_buffer;
    component Velocity: contiguous_buffer;
    system Move { write: [Position] }
}

impl System<W> for Move {
    fn process(&self, data: &mut Data<'_, W, Self>) {
        data.own.query::<(&mut Position, &Velocity)>().for_each(|_| {});
    }
}

fn main() {}
