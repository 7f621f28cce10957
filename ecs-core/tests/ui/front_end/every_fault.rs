//! Every fault is reported: none hides another, and the sound system is left in peace.

use ecs_core::{Data, System, world};

struct Position(f32);

world! {
    world W { entity_limit: fixed(0), threads: 4 }
    component Position: contiguous_buffer;
    component Name: hash_map;
    componet Velocity: contiguous_buffer;
    resource Score
    system Move { write: [Position, Position], parallelism: split_evenly(0), despawn: true }
    system Draw { read: [Position], dependencies: [Draw], #[cfg(test)] exclusive }
    pub system Sound { dependencies: [Move] }
}

struct Velocity(f32);
struct Name(u32);
#[derive(Default)]
struct Score(u32);
#[derive(Default)]
struct Move;
#[derive(Default)]
struct Draw;
#[derive(Default)]
struct Sound;

impl System<W> for Move {
    fn process(&self, data: &mut Data<'_, W, Self>) {
        data.own.for_entities(|e| e.position.0 += 1.0);
    }
}

impl System<W> for Draw {
    fn process(&self, _: &mut Data<'_, W, Self>) {}
}

impl System<W> for Sound {
    fn process(&self, _: &mut Data<'_, W, Self>) {}
}

fn main() {
    let _ = ecs_core::World::<W>::new();
}
