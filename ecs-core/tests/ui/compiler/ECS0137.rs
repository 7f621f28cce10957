//! ECS0137: a field that does not count down.

use ecs_core::world;
struct Poison {
    seconds: f32,
}

world! {
    world W;
    component Poison: expires(seconds);
    system Wear { expire: Poison }
}

fn main() {}
