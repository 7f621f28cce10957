//! Filters prove that unordered writers never meet; what a system requires counts as a filter.

#![deny(warnings)]

use ecs_core::{Data, System, World, world};

struct Position(f32);
struct Frozen(f32);

world! {
    world W;
    component Position: contiguous_buffer;
    component Frozen: contiguous_buffer;
    system Thaw { write: [Position, Frozen] }
    system Move { write: [Position], without: [Frozen] }
}

#[derive(Default)]
struct Thaw;
#[derive(Default)]
struct Move;

impl System<W> for Thaw {
    fn process(&self, data: &mut Data<'_, W, Self>) {
        data.own.for_entities(|e| e.frozen.0 -= e.position.0);
    }
}

impl System<W> for Move {
    fn process(&self, data: &mut Data<'_, W, Self>) {
        data.own.for_entities(|e| e.position.0 += 1.0);
    }
}

fn main() {
    let mut world = World::<W>::new();
    let ice = world.step(|step| step.spawn((Position(1.0), Frozen(3.0)))).unwrap();
    let ball = world.step(|step| step.spawn((Position(1.0),))).unwrap();
    world.tick().unwrap();
    assert_eq!(world.get::<Frozen>(ice).unwrap().0, 2.0);
    assert_eq!(world.get::<Position>(ball).unwrap().0, 2.0);
}
