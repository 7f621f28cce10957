//! ECS0043: an unknown system in an order.

use ecs_core::{Data, System, world};
#[derive(Default)]
struct Draw;
impl System<W> for Draw { fn process(&self, _: &mut Data<'_, W, Self>) {} }

world! {
    world W;
    order Move -> Draw;
    system Draw;
}

fn main() {}
