//! What is borrowed from the world as it is now does not outlive its next change.

use ecs_core::{Data, System, World, world};

struct Position(f32);
struct Weight(f32);

world! {
    world W;
    component Position: contiguous_buffer;
    component Weight: contiguous_buffer;
    query Heavy { read: [Position, Weight] }
    system Act {
        sequential,
        write: [Position],
        read_any: [Weight],
        queries: [Heavy],
        remove: [Position],
        despawn,
    }
}

#[derive(Default)]
struct Act;

impl System<W> for Act {
    fn process(&self, data: &mut Data<'_, W, Self>) {
        data.roll(|mut found| {
            let entity = found.entity();
            let e = found.entry();
            found.now().despawn(entity);
            e.position.0 += 1.0;
        });
        let mut kept = Vec::new();
        data.roll(|mut found| kept.push(found.entry()));
        data.roll_pairs::<Heavy>(|mut pair| {
            let (own, member) = (pair.entity(), pair.member());
            let weight = pair.get_member::<&Weight>();
            pair.get::<&mut Position>().0 += weight.0;
            let position = pair.get_member::<&mut Position>();
            pair.now().despawn(member);
            position.0 = own.index() as f32;
        });
        let mut now = data.now();
        for (entity, position) in now.query::<(ecs_core::Entity, &mut Position)>() {
            now.despawn(entity);
            position.0 += 1.0;
        }
        let weights = now.read_any::<Weight>();
        now.despawn(kept[0].entity);
        let _ = weights.get(kept[0].entity);
    }
}

fn main() {
    let _ = World::<W>::new();
}
