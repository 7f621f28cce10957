//! ECS0047: a stream between systems in order.

use ecs_core::{Data, Stream, System, World, world};
#[derive(Default)]
struct Find;
#[derive(Default)]
struct Note;

world! {
    world W;
    system Find { output: Stream<u32> }
    system Note { streams: [Find], dependencies: [Find] }
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
