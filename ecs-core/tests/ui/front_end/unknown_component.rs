//! A signature names a component that is not declared.

use ecs_core::{Data, System, world};

struct Position(f32);

world! {
    world W;
    component Position: contiguous_buffer;
    system Move { write: [Position], read: [Wind] }
}

#[derive(Default)]
struct Move;

impl System<W> for Move {
    fn process(&self, data: &mut Data<'_, W, Self>) {
        data.own.for_entities(|e| e.position.0 += 1.0);
    }
}

fn main() {}
