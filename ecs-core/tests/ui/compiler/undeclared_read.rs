//! A body reads a component that its signature doesn't name.

use ecs_core::{Data, System, world};

struct Position(f32);
struct Velocity(f32);

world! {
    world W;
    component Position: contiguous_buffer;
    component Velocity: contiguous_buffer;
    system Move { write: [Position] }
}

#[derive(Default)]
struct Move;

impl System<W> for Move {
    fn process(&self, data: &mut Data<'_, W, Self>) {
        let _ = data.own.query::<(&mut Position, &Velocity)>();
        let _ = data.own.query::<Option<&Velocity>>();
        data.own.for_entities(|e| e.position.0 += e.velocity.0);
    }
}

fn main() {}
