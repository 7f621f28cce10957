//! ECS0089: an output without an order.

use std::collections::HashMap;

use ecs_core::world;

world! {
    world W;
    system Count { output: HashMap<u32, u32>, run: |_| {} }
}

fn main() {}
