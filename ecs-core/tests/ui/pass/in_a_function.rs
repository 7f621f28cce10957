//! A world may be declared wherever items may stand.

#![deny(warnings)]

use ecs_core::{Data, System, World, world};

fn main() {
    struct Position(f32);
    #[derive(Default)]
    struct Move;

    world! {
        world Line;
        component Position: contiguous_buffer;
        system Move { write: [Position] }
    }

    impl System<Line> for Move {
        fn process(&self, data: &mut Data<'_, Line, Self>) {
            data.own.for_entities(|e| e.position.0 += 1.0);
        }
    }

    let mut world = World::<Line>::new();
    let entity = world.step(|step| step.spawn((Position(1.0),))).unwrap();
    world.tick().unwrap();
    assert_eq!(world.get::<Position>(entity).unwrap().0, 2.0);
}
