//! ECS0033: orders that contradict each other.

use ecs_core::{Data, System, world};
#[derive(Default)]
struct Move;
impl System<W> for Move { fn process(&self, _: &mut Data<'_, W, Self>) {} }
#[derive(Default)]
struct Draw;
impl System<W> for Draw { fn process(&self, _: &mut Data<'_, W, Self>) {} }

world! {
    world W;
    system Move { before: [Draw] }
    system Draw { before: [Move] }
}

fn main() {}
