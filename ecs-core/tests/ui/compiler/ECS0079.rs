//! ECS0079: `empty` storage for what has a size.

use ecs_core::world;
struct Frozen(u32);

world! {
    world W;
    component Frozen: empty;
}

fn main() {}
