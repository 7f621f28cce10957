//! A declared system without a body, one without a `Default`, and one whose type doesn't exist.

use ecs_core::{Data, System, world};

struct Position(f32);

world! {
    world W;
    component Position: contiguous_buffer;
    system Move { write: [Position] }
    system Draw { read: [Position], dependencies: [Move] }
    system Play: Sound { inputs: [Move] }
}

#[derive(Default)]
struct Move;
struct Draw(f32);

impl System<W> for Draw {
    fn process(&self, _: &mut Data<'_, W, Self>) {}
}

fn main() {
    let _ = ecs_core::World::<W>::new();
}
