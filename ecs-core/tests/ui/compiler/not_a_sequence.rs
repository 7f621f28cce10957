//! Outputs as one, of an output that is no sequence; and as an iterator, which they are not.

use ecs_core::{Data, Output, System, World, world};

struct Position(f32);

#[derive(Default)]
struct Count(u32);

impl Output for Count {}

world! {
    world W;
    component Position: contiguous_buffer;
    system Find { read: [Position], parallelism: split_evenly(cores), output: Vec<f32> }
    system Few { read: [Position], output: Count }
    system Look { inputs: [Find, Few] }
}

#[derive(Default)]
struct Find;

impl System<W> for Find {
    fn process(&self, _: &mut Data<'_, W, Self>) {}
}

#[derive(Default)]
struct Few;

impl System<W> for Few {
    fn process(&self, _: &mut Data<'_, W, Self>) {}
}

#[derive(Default)]
struct Look;

impl System<W> for Look {
    fn process(&self, data: &mut Data<'_, W, Self>) {
        let _counts = data.effects.outputs_of::<Few>().flatten().count();
        let _subtasks = data.effects.outputs_of::<Find>().count();
    }
}

fn main() {
    World::<W>::new().tick().unwrap();
}
