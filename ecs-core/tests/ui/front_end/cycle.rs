//! Systems that wait for each other.

use ecs_core::{Data, System, world};

world! {
    world W;
    system Sense { dependencies: [Act] }
    system Think { inputs: [Sense], before: [Act] }
    system Act;
}

#[derive(Default)]
struct Sense;
#[derive(Default)]
struct Think;
#[derive(Default)]
struct Act;

impl System<W> for Sense {
    fn process(&self, _: &mut Data<'_, W, Self>) {}
}

impl System<W> for Think {
    fn process(&self, _: &mut Data<'_, W, Self>) {}
}

impl System<W> for Act {
    fn process(&self, _: &mut Data<'_, W, Self>) {}
}

fn main() {
    let _ = ecs_core::World::<W>::new();
}
