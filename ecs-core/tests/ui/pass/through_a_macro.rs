//! A declaration written by a macro of the user's, with types and names as fragments.

#![deny(warnings)]

use ecs_core::{Data, System, World, world};

mod parts {
    pub struct Position(pub f32);
    #[derive(Default)]
    pub struct Move;
    pub struct Step(pub f32);
}

macro_rules! declare {
    ($name:ident, $limit:expr, $component:path, $system:path, $resource:path = $value:expr) => {
        world! {
            world $name { entity_limit: fixed($limit) }
            component $component: contiguous_buffer;
            resource $resource = $value;
            system $system { write: [$component], read_resources: [$resource] }
        }
    };
}

declare!(Line, 10 + 1, parts::Position, parts::Move, parts::Step = parts::Step(0.5));

impl System<Line> for parts::Move {
    fn process(&self, data: &mut Data<'_, Line, Self>) {
        let step = data.resources.get::<parts::Step>().0;
        data.own.for_entities(|e| e.position.0 += step);
    }
}

fn main() {
    let mut world = World::<Line>::new();
    let entity = world.step(|step| step.spawn((parts::Position(1.0),))).unwrap();
    world.tick().unwrap();
    assert_eq!(world.get::<parts::Position>(entity).unwrap().0, 1.5);
}
