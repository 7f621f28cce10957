//! ECS0032: unordered systems in conflict.

use ecs_core::{Data, System, world};
struct Level(f32);
struct Below(f32);
#[derive(Default)]
struct Rise;
impl System<W> for Rise { fn process(&self, _: &mut Data<'_, W, Self>) {} }
#[derive(Default)]
struct Fall;
impl System<W> for Fall { fn process(&self, _: &mut Data<'_, W, Self>) {} }

world! {
    world W;
    component Level: contiguous_buffer;
    component Below: contiguous_buffer;
    system Rise { write: [Level] }
    system Fall { write: [Level] }
}

fn main() {}
