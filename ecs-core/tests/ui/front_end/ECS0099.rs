//! ECS0099: an effect that a system does not have.

use ecs_core::world;
struct Walker;

world! {
    world W;
    component Walker: empty;
    system Walk { with: [Walker], despawn, run: |_| {} }
    system Draw { with: [Walker], sees: [Walk.spawn], run: |_| {} }
}

fn main() {}
