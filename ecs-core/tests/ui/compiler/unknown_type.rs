//! A component whose type is undefined is one error, although three systems name it. So is a system without code whose
//! type is undefined.

use ecs_core::{World, world};

struct Position(f32);

world! {
    world W;
    component Position, Velocity;
    system Accelerate { write: [Velocity], each: |_| () }
    system Move { read: [Velocity], write: [Position], dependencies: [Accelerate], each: |_| () }
    system Start { without: [Velocity], insert: [Velocity], dependencies: [Move], run: |_| () }
    system Stop { write: [Position], dependencies: [Start] }
}

fn main() {
    World::<W>::new().tick().unwrap();
}
