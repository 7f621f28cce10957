//! One typo makes one error, although bodies, an order and filters hang on the mistyped name.

use ecs_core::{Data, System, world};

struct Position(f32);
struct Velocity(f32);
struct Frozen;

world! {
    world W;
    component Position: contiguous_buffer;
    component Velocity: contiguous_buffer;
    component Frozen: contiguous_buffer;
    system Move { read: [Velocity], write: [Positoin], without: [Frozen], despawn }
    system Shake { write: [Position], with: [Frozen] }
    system Draw { read: [Position], inputs: [Move, Shake] }
}

#[derive(Default)]
struct Move;
#[derive(Default)]
struct Shake;
#[derive(Default)]
struct Draw;

impl System<W> for Move {
    fn process(&self, data: &mut Data<'_, W, Self>) {
        let Data { own, effects, .. } = data;
        own.for_entities(|e| {
            e.position.0 += e.velocity.0;
            effects.despawn(e.entity);
        });
    }
}

impl System<W> for Shake {
    fn process(&self, data: &mut Data<'_, W, Self>) {
        data.own.query::<&mut Position>().for_each(|p| p.0 += 1.0);
    }
}

impl System<W> for Draw {
    fn process(&self, data: &mut Data<'_, W, Self>) {
        let _ = data.effects.system::<Move>();
        data.own.for_entities(|e| assert!(e.position.0 > 0.0));
    }
}

fn main() {
    // Cloning and hashing the world cause no further error.
    let mut world = ecs_core::World::<W>::new();
    let before = (world.snapshot(), world.state_hash());
    let _ = world.restore(&before.0);
    assert_eq!(world.clone().state_hash(), before.1);
}
