//! A signature depends on a system that is not declared; conflicts that it might have ordered are not reported.

use ecs_core::{Data, System, world};

struct Position(f32);

world! {
    world W;
    component Position: contiguous_buffer;
    system Move { write: [Position] }
    system Draw { read: [Position], dependencies: [Physics] }
}

#[derive(Default)]
struct Move;
#[derive(Default)]
struct Draw;

impl System<W> for Move {
    fn process(&self, _: &mut Data<'_, W, Self>) {}
}

impl System<W> for Draw {
    fn process(&self, _: &mut Data<'_, W, Self>) {}
}

fn main() {
    let _ = ecs_core::World::<W>::new();
}
