//! A write from outside that would leave no mark.

use ecs_core::{World, world};
struct Position(f32);

world! {
    world W;
    component Position;
    system Draw { read: [Position], changed: [Position], run: |_| {} }
}

fn main() {
    let mut world = World::<W>::new();
    for position in world.iter_mut::<&mut Position>() {
        position.0 = 0.0;
    }
}
