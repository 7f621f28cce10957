//! ECS0033: orders that contradict each other.

use ecs_core::world;

world! {
    world W;
    system Move { before: [Draw], run: |_| {} }
    system Draw { before: [Move], run: |_| {} }
}

fn main() {}
