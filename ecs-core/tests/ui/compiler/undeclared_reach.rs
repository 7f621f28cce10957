//! A body reaches other entities than its own without `read_any` or `exclusive`, and looks at its
//! slices without `slice_dependent`.

use ecs_core::{Data, Entity, System, world};

struct Position(f32);
struct Target(Entity);

world! {
    world W;
    component Position: contiguous_buffer;
    component Target: contiguous_buffer;
    system Chase { read: [Target], write: [Position] }
}

#[derive(Default)]
struct Chase;

impl System<W> for Chase {
    fn process(&self, data: &mut Data<'_, W, Self>) {
        let mut targets = Vec::new();
        data.own.for_entities(|e| targets.push(e.target.0));
        let _ = data.effects.read_any::<Position>();
        let _ = data.own.get_mut::<&mut Position>(targets[0]);
        let _ = data.own.entity_count();
    }
}

fn main() {}
