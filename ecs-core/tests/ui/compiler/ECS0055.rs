//! ECS0055: an undeclared input.

use ecs_core::{Data, System, world};
#[derive(Default)]
struct Find;
impl System<W> for Find { fn process(&self, _: &mut Data<'_, W, Self>) {} }
#[derive(Default)]
struct Use;

world! {
    world W;
    system Find { output: Vec<u32> }
    system Use { dependencies: [Find] }
}

impl System<W> for Use {
    fn process(&self, data: &mut Data<'_, W, Self>) {
        data.effects.output_parts_of::<Find>().for_each(|_| {});
    }
}

fn main() {}
