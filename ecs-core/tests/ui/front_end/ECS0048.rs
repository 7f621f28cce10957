//! ECS0048: a refresh between the ends of a stream.

use ecs_core::{Data, Stream, System, World, world};
struct Life(u32);
struct Seed(u32);
#[derive(Default)]
struct Sow;
#[derive(Default)]
struct Find;
#[derive(Default)]
struct Note;

world! {
    world W { staged_changes: refresh_before_dependents }
    component Life, Seed;
    system Sow { read: [Life], spawn: [Seed] }
    system Find { read: [Life], output: Stream<u32> }
    system Note { streams: [Find], read: [Seed], dependencies: [Sow] }
}

impl System<W> for Sow {
    fn process(&self, _: &mut Data<'_, W, Self>) {}
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
