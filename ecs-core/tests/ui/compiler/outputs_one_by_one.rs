//! Outputs of a system that may be split, taken one by one by a reader that must not depend on the split.

use ecs_core::{Data, Output, System, World, world};

struct Position(f32);

/// An output of one's own that readers cannot take as a sequence.
#[derive(Default)]
struct Count(u32);

impl Output for Count {}

world! {
    world W;
    component Position: contiguous_buffer;
    system Find { read: [Position], parallelism: split_evenly(cores), output: Vec<f32> }
    system Few { read: [Position], output: Count }
    system Look { inputs: [Find] }
    system Other { inputs: [Find, Few] }
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
        data.effects.output_parts_of::<Find>().for_each(|_| {});
    }
}

#[derive(Default)]
struct Other;

impl System<W> for Other {
    fn process(&self, data: &mut Data<'_, W, Self>) {
        data.effects.output_parts_of::<Few>().for_each(|count| assert_eq!(count.0, 0));
        let _subtasks = data.effects.output_parts_of::<Find>().count();
    }
}

fn main() {
    World::<W>::new().tick().unwrap();
}
