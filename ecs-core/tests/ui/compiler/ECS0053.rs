//! ECS0053: a system that is not exclusive.

use ecs_core::{Data, System, world};
struct Position(f32);
#[derive(Default)]
struct Solve;

world! {
    world W;
    component Position: contiguous_buffer;
    system Solve { write: [Position] }
}

impl System<W> for Solve {
    fn process(&self, data: &mut Data<'_, W, Self>) {
        let _positions = data.own.any_mut::<&mut Position>();
    }
}

fn main() {}
