//! ECS0059: an undeclared insertion.

use ecs_core::{Data, System, world};
struct Life(f32);
struct Frozen(f32);
#[derive(Default)]
struct Age;

world! {
    world W;
    component Life: contiguous_buffer;
    component Frozen: contiguous_buffer;
    system Age { read: [Life] }
}

impl System<W> for Age {
    fn process(&self, data: &mut Data<'_, W, Self>) {
        let Data { own, effects, .. } = data;
        own.for_entities(|e| effects.insert(e.entity, Frozen(1.0)));
    }
}

fn main() {}
