//! A body reads another system's output and state without naming it in `inputs`.

use ecs_core::{Data, System, world};

world! {
    world W;
    system Partition { output: Vec<u32> }
    system Collide { dependencies: [Partition] }
}

#[derive(Default)]
struct Partition;
#[derive(Default)]
struct Collide;

impl System<W> for Partition {
    fn process(&self, data: &mut Data<'_, W, Self>) {
        data.effects.output().push(1);
    }
}

impl System<W> for Collide {
    fn process(&self, data: &mut Data<'_, W, Self>) {
        data.effects.output_parts_of::<Partition>().for_each(|_| {});
        let _ = data.effects.system::<Partition>();
    }
}

fn main() {}
