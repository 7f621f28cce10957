//! ECS0100: an addition to a resource that is not commutative.

use ecs_core::world;
struct Health(i32);
#[derive(Default, ecs_core::Combine)]
struct Score(u64);

world! {
    world W;
    component Health;
    resource Score;
    system Count { read: [Health], add: [Score], run: |_| {} }
}

fn main() {}
