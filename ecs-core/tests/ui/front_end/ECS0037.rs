//! ECS0037: changes at once that an unordered system sees or not.

use ecs_core::{Data, System, world};
struct Position(f32);
#[derive(Default)]
struct Collide;
impl System<W> for Collide { fn process(&self, _: &mut Data<'_, W, Self>) {} }
#[derive(Default)]
struct Draw;
impl System<W> for Draw { fn process(&self, _: &mut Data<'_, W, Self>) {} }

world! {
    world W;
    component Position: contiguous_buffer;
    system Collide { sequential, read: [Position], despawn }
    system Draw { read: [Position] }
}

fn main() {}
