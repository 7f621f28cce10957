//! ECS0101: an undeclared addition to a resource.

use ecs_core::{Combine, world};
struct Health(i32);

#[derive(Combine, Default)]
struct Score(u64);

world! {
    world W;
    component Health;
    resource Score: sum;
    system Count { each: |_: &Health, effects| effects.add(Score(1)) }
}

fn main() {}
