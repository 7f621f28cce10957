//! A sequential system has no other way to entities than the world as it is now; and one that is none in the
//! table has no way to that, even with the right implemented.

use ecs_core::access::IsSequential;
use ecs_core::{Data, System, World, world};

struct Position(f32);
struct Weight(f32);

world! {
    world W;
    component Position: contiguous_buffer;
    component Weight: contiguous_buffer;
    system Act {
        sequential,
        write: [Position],
        read_any: [Weight],
        insert: [Weight],
        remove: [Weight],
        spawn: [Position],
        despawn,
    }
    system Cheat { write: [Position], dependencies: [Act], parallelism: split_evenly(cores) }
}

#[derive(Default)]
struct Act;

impl System<W> for Act {
    fn process(&self, data: &mut Data<'_, W, Self>) {
        let mut all = Vec::new();
        data.own.for_all_entities(|entity| all.push(entity));
        data.own.for_entities(|e| e.position.0 += 1.0);
        data.own.query::<&Position>().for_each(|_| ());
        data.own.for_runs::<&mut Position>(|_| ());
        let _ = data.effects.read_any::<Weight>();
        data.effects.despawn(all[0]);
        data.effects.insert(all[0], Weight(1.0));
        data.effects.remove::<Weight>(all[0]);
        data.effects.spawn((Position(1.0),));
    }
}

#[derive(Default)]
struct Cheat;

impl IsSequential<W> for Cheat {}

impl System<W> for Cheat {
    fn process(&self, data: &mut Data<'_, W, Self>) {
        data.roll(|_| ());
    }
}

fn main() {
    let mut world = World::<W>::new();
    world.tick().unwrap();
}
