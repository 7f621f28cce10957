//! ECS0060: an undeclared removal.

use ecs_core::{Data, System, world};
struct Life(f32);
struct Frozen(f32);
#[derive(Default)]
struct Thaw;

world! {
    world W;
    component Life: contiguous_buffer;
    component Frozen: contiguous_buffer;
    system Thaw { read: [Life] }
}

impl System<W> for Thaw {
    fn process(&self, data: &mut Data<'_, W, Self>) {
        let Data { own, effects, .. } = data;
        own.for_entities(|e| effects.remove::<Frozen>(e.entity));
    }
}

fn main() {}
