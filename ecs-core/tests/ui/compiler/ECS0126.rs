//! ECS0126: a component that nothing says how to accumulate into.

use ecs_core::{Entity, world};
struct Aim(Entity);

struct Damage(u32);

world! {
    world W;
    component Aim, Damage;
    system Shoot { read: [Aim], accumulate: [Damage], run: |_| {} }
}

fn main() {}
