//! ECS0031: systems that wait for each other.

use ecs_core::{Data, System, world};
#[derive(Default)]
struct Sense;
impl System<W> for Sense { fn process(&self, _: &mut Data<'_, W, Self>) {} }
#[derive(Default)]
struct Think;
impl System<W> for Think { fn process(&self, _: &mut Data<'_, W, Self>) {} }
#[derive(Default)]
struct Act;
impl System<W> for Act { fn process(&self, _: &mut Data<'_, W, Self>) {} }

world! {
    world W;
    system Sense { dependencies: [Act] }
    system Think { inputs: [Sense] }
    system Act { inputs: [Think] }
}

fn main() {}
