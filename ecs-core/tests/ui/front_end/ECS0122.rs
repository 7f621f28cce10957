//! ECS0122: an event in the place of a resource, or the other way round.

use ecs_core::world;
#[derive(Default)]
struct Alarm(bool);

world! {
    world W;
    resource Alarm;
    system Watch { emit: [Alarm], run: |_| {} }
}

fn main() {}
