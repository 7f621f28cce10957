//! ECS0049: a stream that the signature does not declare.

use ecs_core::{Data, Stream, System, world};
#[derive(Default)]
struct Find;
#[derive(Default)]
struct Note;

world! {
    world W;
    system Find { output: Stream<u32> }
    system Note;
}

impl System<W> for Find {
    fn process(&self, data: &mut Data<'_, W, Self>) {
        data.effects.stream().send(1);
    }
}

impl System<W> for Note {
    fn process(&self, data: &mut Data<'_, W, Self>) {
        data.effects.received::<Find>().for_each(|number| println!("{number}"));
        data.effects.stream().send(2);
    }
}

fn main() {}
