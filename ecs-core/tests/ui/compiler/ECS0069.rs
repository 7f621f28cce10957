//! ECS0069: a type in a place that needs another kind.

use ecs_core::{Data, System, world};
#[derive(Default)]
struct Total(u32);
#[derive(Default)]
struct Count;
impl System<W> for Count { fn process(&self, _: &mut Data<'_, W, Self>) {} }

world! {
    world W;
    system Count { output: Total }
}

fn main() {}
