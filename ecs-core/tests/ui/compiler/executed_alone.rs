//! Systems that are executed alone: one twice, a query that is never executed, and one that is left out but overridden.

use ecs_core::{World, world};

struct Position(f32);

world! {
    world W;
    component Position;
    query Near { read: [Position] }
    system Move { write: [Position], each: |e| e.position.0 += 1.0 }
    system Draw { read: [Position], dependencies: [Move], each: |e| assert!(e.position.0 > 0.0) }
}

fn main() {
    let mut world = World::<W>::new();
    world.step(|step| step.execute_only::<(Move, Draw, Move)>()).unwrap();
    world.step(|step| step.execute_only::<(Near,)>()).unwrap();
    world.step(|step| step.execute_with(|s| s.only::<(Move,)>().for_subtasks::<Draw>(|_, _| {}))).unwrap();
}
