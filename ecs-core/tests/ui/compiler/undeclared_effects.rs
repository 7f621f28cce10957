//! A body has effects that its signature doesn't declare.

use ecs_core::{Data, System, world};

struct Life(f32);
struct Frozen;

world! {
    world W;
    component Life: contiguous_buffer;
    component Frozen: contiguous_buffer;
    system Age { write: [Life] }
}

#[derive(Default)]
struct Age;

impl System<W> for Age {
    fn process(&self, data: &mut Data<'_, W, Self>) {
        let Data { own, effects, .. } = data;
        own.for_entities(|e| {
            effects.despawn(e.entity);
            effects.insert::<Frozen>(e.entity, Frozen);
            effects.remove::<Frozen>(e.entity);
            effects.spawn::<(Life,)>((Life(1.0),));
            effects.defer(|_| {});
        });
    }
}

fn asks_for_the_right<N: ecs_core::access::Spawns<W>>() {}

fn main() {
    asks_for_the_right::<Age>();
}
