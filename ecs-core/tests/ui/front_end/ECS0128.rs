//! ECS0128: a component without a countdown.

use ecs_core::world;
struct Poison {
    left: u32,
}

world! {
    world W;
    component Poison;
    system Wear { expire: Poison }
}

fn main() {}
