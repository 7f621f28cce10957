//! ECS0036: unordered systems that change the same component.

use ecs_core::{Data, System, world};
struct Position(f32);
struct Burning(f32);
#[derive(Default)]
struct Ignite;
impl System<W> for Ignite { fn process(&self, _: &mut Data<'_, W, Self>) {} }
#[derive(Default)]
struct Explode;
impl System<W> for Explode { fn process(&self, _: &mut Data<'_, W, Self>) {} }

world! {
    world W;
    component Position: contiguous_buffer;
    component Burning: contiguous_buffer;
    system Ignite { read: [Position], insert: [Burning] }
    system Explode { read: [Position], insert: [Burning] }
}

fn main() {}
