//! ECS0073: a right that the table does not give.

use ecs_core::{World, world};
struct Position(f32);

world! {
    world W;
    component Position;
    system Look {
        read: [Position],
        run: |data| { let _positions = data.effects.read_any::<Position>(); },
    }
}

impl ecs_core::access::ReadsAny<Position, W> for Look {}

fn main() {
    let mut world = World::<W>::new();
    world.tick().unwrap();
}
