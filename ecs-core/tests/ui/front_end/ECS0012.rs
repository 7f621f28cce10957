//! ECS0012: an unknown system.

use ecs_core::{Data, System, world};
#[derive(Default)]
struct Draw;
impl System<W> for Draw { fn process(&self, _: &mut Data<'_, W, Self>) {} }

world! {
    world W;
    system Draw { dependencies: [Move] }
}

fn main() {}
