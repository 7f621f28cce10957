//! A body updates what its signature does not declare that it updates.

use ecs_core::SystemName;
use ecs_core::{Data, System, access::Updates, world};

struct Level(f32);
struct Depth(f32);

world! {
    world Sea;
    component Level: contiguous_buffer;
    component Depth: contiguous_buffer;
    system Rise { read: [Level], update: [Depth] }
}

#[derive(Default)]
struct Rise;

impl System<Sea> for Rise {
    fn process(&self, data: &mut Data<'_, Sea, Self>) {
        let (own, effects) = data.split();
        own.for_entities(|e| {
            effects.update(e.entity, Level(e.level.0 + e.depth.0));
            effects.update(e.entity, std::rc::Rc::new(1));
        });
        wants::<Rise>();
    }
}

fn wants<N: SystemName<Sea> + Updates<Level, Sea>>() {}

fn main() {}
