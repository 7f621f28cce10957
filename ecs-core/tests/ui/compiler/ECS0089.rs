//! ECS0089: an output without an order.

use std::collections::HashMap;

use ecs_core::{Data, System, world};
#[derive(Default)]
struct Count;
impl System<W> for Count { fn process(&self, _: &mut Data<'_, W, Self>) {} }

world! {
    world W;
    system Count { output: HashMap<u32, u32> }
}

fn main() {}
