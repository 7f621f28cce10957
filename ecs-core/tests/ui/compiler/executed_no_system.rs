//! What is executed is not a tuple of systems; and a closure of `execute_with` that returns nothing.

use ecs_core::{World, world};

struct Position(f32);

world! {
    world W;
    component Position;
    system Move { write: [Position], each: |e| e.position.0 += 1.0 }
}

fn main() {
    let mut world = World::<W>::new();
    world.step(|step| step.execute_only::<(Position,)>()).unwrap();
    world.step(|step| step.execute_only::<Move>()).unwrap();
    world.step(|step| step.execute_with(|systems| { systems.for_subtasks::<Move>(|_, _| {}); })).unwrap();
}
