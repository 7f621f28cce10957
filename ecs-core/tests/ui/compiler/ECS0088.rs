//! ECS0088: the world as it is now, in a system that is not sequential, or the other way round.

use ecs_core::{Data, System, world};
struct Position(f32);
#[derive(Default)]
struct Collide;

world! {
    world W;
    component Position: contiguous_buffer;
    system Collide { read: [Position], despawn }
}

impl System<W> for Collide {
    fn process(&self, data: &mut Data<'_, W, Self>) {
        data.roll(|found| {
            let entity = found.entity();
            found.now().despawn(entity);
        });
    }
}

fn main() {}
