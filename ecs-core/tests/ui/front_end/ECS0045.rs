//! ECS0045: a stream that is none.

use ecs_core::{Data, System, World, world};
#[derive(Default)]
struct Find;
#[derive(Default)]
struct Note;

world! {
    world W;
    system Find;
    system Note { streams: [Find] }
}

impl System<W> for Find {
    fn process(&self, _: &mut Data<'_, W, Self>) {}
}
impl System<W> for Note {
    fn process(&self, _: &mut Data<'_, W, Self>) {}
}

fn main() {
    let mut world = World::<W>::new();
    world.tick().unwrap();
}
