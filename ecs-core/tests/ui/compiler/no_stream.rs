//! A body sends, and another one takes, what is no stream.

use ecs_core::{Data, System, world};

world! {
    world W;
    system Find { output: Vec<u32> }
    system Note { streams: [Find] }
}

#[derive(Default)]
struct Find;
#[derive(Default)]
struct Note;

impl System<W> for Find {
    fn process(&self, data: &mut Data<'_, W, Self>) {
        data.effects.stream().send(1);
    }
}

impl System<W> for Note {
    fn process(&self, data: &mut Data<'_, W, Self>) {
        data.effects.received::<Find>().for_each(drop);
    }
}

fn main() {}
