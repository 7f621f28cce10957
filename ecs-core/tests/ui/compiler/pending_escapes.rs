//! A pending entity does not leave the call of the body that spawns it, and is no handle.

use ecs_core::{Data, Entity, PendingEntity, System, World, world};
struct Position(f32);

world! {
    world W;
    component Position;
    system Load { spawn: [Position], state: Load(None) }
    system Keep { spawn: [Position], run: |data| {
        let pending = data.effects.spawn_pending((Position(0.0),));
        // Code that runs at the refresh gets handles, and cannot take symbols along.
        data.effects.spawn_with(pending, move |_| {
            drop(pending);
            (Position(1.0),)
        });
    } }
    system Read { spawn: [Position], exclusive, run: |data| {
        let pending = data.effects.spawn_pending((Position(0.0),));
        let _ = data.own.any_mut().get_mut(pending);
        let _: Entity = pending;
    } }
}

struct Load(Option<Vec<PendingEntity<'static>>>);

impl System<W> for Load {
    fn process(&self, data: &mut Data<'_, W, Self>) {
        drop(Load(Some(vec![data.effects.spawn_pending((Position(0.0),))])));
    }
}

fn main() {
    World::<W>::new().tick().unwrap();
}
