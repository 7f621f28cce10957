//! An effect that the tables don't give would be staged and never happen, so it does not build, even with
//! its trait implemented.

use ecs_core::access::{Defers, Draws, Inserts, Despawns, Removes, SliceDependent, Spawns};
use ecs_core::{Data, Entity, System, World, world};

struct Position(f32);

world! {
    world W;
    component Position: contiguous_buffer;
    system Cheat { write: [Position] }
}

#[derive(Default)]
struct Cheat(Vec<Entity>);

impl Despawns<W> for Cheat {}
impl Spawns<W> for Cheat {}
impl Inserts<Position, W> for Cheat {}
impl Removes<Position, W> for Cheat {}
impl Defers<W> for Cheat {}
impl SliceDependent<W> for Cheat {}
impl Draws<W> for Cheat {}

impl System<W> for Cheat {
    fn process(&self, data: &mut Data<'_, W, Self>) {
        data.effects.despawn(self.0[0]);
        data.effects.spawn((Position(0.0),));
        data.effects.insert(self.0[0], Position(0.0));
        data.effects.remove::<Position>(self.0[0]);
        data.effects.defer(|_| {});
        let _ = data.effects.subtask();
        let _ = data.effects.random(self.0[0]);
        let _ = data.own.entity_count();
    }
}

fn main() {
    let mut world = World::<W>::new();
    world.tick().unwrap();
}
