//! A body writes a component that its signature only reads.

use ecs_core::{Data, System, world};

struct Position(f32);
struct Velocity(f32);

world! {
    world W;
    component Position: contiguous_buffer;
    component Velocity: contiguous_buffer;
    system Move { read: [Position], read_optional: [Velocity] }
}

#[derive(Default)]
struct Move;

impl System<W> for Move {
    fn process(&self, data: &mut Data<'_, W, Self>) {
        let _ = data.own.query::<&mut Position>();
        let _ = data.own.query::<Option<&mut Velocity>>();
    }
}

fn main() {}
