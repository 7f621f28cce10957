//! ECS0052: an undeclared read of any entity.

use ecs_core::{Data, System, world};
struct Position(f32);
#[derive(Default)]
struct Look;

world! {
    world W;
    component Position: contiguous_buffer;
    system Look { read: [Position] }
}

impl System<W> for Look {
    fn process(&self, data: &mut Data<'_, W, Self>) {
        let _positions = data.effects.read_any::<Position>();
    }
}

fn main() {}
