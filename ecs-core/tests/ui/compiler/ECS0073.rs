//! ECS0073: a right that the table does not give.

use ecs_core::{Data, System, World, world};
struct Position(f32);
#[derive(Default)]
struct Look;

world! {
    world W;
    component Position: contiguous_buffer;
    system Look { read: [Position] }
}

impl ecs_core::access::ReadsAny<Position, W> for Look {}

impl System<W> for Look {
    fn process(&self, data: &mut Data<'_, W, Self>) {
        let _positions = data.effects.read_any::<Position>();
    }
}

fn main() {
    let mut world = World::<W>::new();
    world.tick().unwrap();
}
