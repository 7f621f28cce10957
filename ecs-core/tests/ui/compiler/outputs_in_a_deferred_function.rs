//! Outputs of a system that may be split, taken one by one by a deferred function.

use ecs_core::{Data, System, World, world};

struct Position(f32);

world! {
    world W;
    component Position: contiguous_buffer;
    system Find { read: [Position], parallelism: split_evenly(cores), output: Vec<f32> }
    system Look { dependencies: [Find], defer }
}

#[derive(Default)]
struct Find;

impl System<W> for Find {
    fn process(&self, _: &mut Data<'_, W, Self>) {}
}

#[derive(Default)]
struct Look;

impl System<W> for Look {
    fn process(&self, data: &mut Data<'_, W, Self>) {
        data.effects.defer(|defer| defer.output_parts_of::<Find>().for_each(|_| {}));
    }
}

fn main() {
    World::<W>::new().tick().unwrap();
}
