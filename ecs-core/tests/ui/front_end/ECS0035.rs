//! ECS0035: staged changes that a later system does not see.

use ecs_core::{Data, System, world};
struct Bullet(f32);
#[derive(Default)]
struct Collide;
impl System<W> for Collide { fn process(&self, _: &mut Data<'_, W, Self>) {} }
#[derive(Default)]
struct Render;
impl System<W> for Render { fn process(&self, _: &mut Data<'_, W, Self>) {} }

world! {
    world W { staged_changes: deny }
    component Bullet: contiguous_buffer;
    system Collide { read: [Bullet], despawn }
    system Render { read: [Bullet], dependencies: [Collide] }
}

fn main() {}
