//! ECS0043: an unknown system in an order.

use ecs_core::world;

world! {
    world W;
    order Move -> Draw;
    system Draw { run: |_| {} }
}

fn main() {}
