//! ECS0056: an undeclared read of a resource.

use ecs_core::{Data, System, world};
#[derive(Default)]
struct Clock(f32);
#[derive(Default)]
struct Move;

world! {
    world W;
    resource Clock;
    system Move;
}

impl System<W> for Move {
    fn process(&self, data: &mut Data<'_, W, Self>) {
        let _clock = data.resources.get::<Clock>();
    }
}

fn main() {}
