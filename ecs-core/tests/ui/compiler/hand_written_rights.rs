//! A right that the tables don't give is worth nothing, even with its trait implemented.

use ecs_core::access::{Exclusive, ReadsAny, WritesResource};
use ecs_core::{Data, Entity, System, World, world};

struct Position(f32);
#[derive(Default)]
struct Score(u32);

world! {
    world W;
    component Position: contiguous_buffer;
    resource Score;
    system Cheat { write: [Position], read_resources: [Score] }
}

#[derive(Default)]
struct Cheat(Vec<Entity>);

impl ReadsAny<Position, W> for Cheat {}
impl WritesResource<Score, W> for Cheat {}
impl Exclusive<W> for Cheat {}

impl System<W> for Cheat {
    fn process(&self, data: &mut Data<'_, W, Self>) {
        let _ = data.effects.read_any::<Position>();
        data.resources.get_mut::<Score>().0 += 1;
        let _ = data.own.pair_mut::<&mut Position>(self.0[0], self.0[1]);
    }
}

fn main() {
    let mut world = World::<W>::new();
    world.tick().unwrap();
}
