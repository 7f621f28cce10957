//! ECS0058: an undeclared despawn.

use ecs_core::{Data, System, world};
struct Life(f32);
#[derive(Default)]
struct Age;

world! {
    world W;
    component Life: contiguous_buffer;
    system Age { write: [Life] }
}

impl System<W> for Age {
    fn process(&self, data: &mut Data<'_, W, Self>) {
        let Data { own, effects, .. } = data;
        own.for_entities(|e| effects.despawn(e.entity));
    }
}

fn main() {}
