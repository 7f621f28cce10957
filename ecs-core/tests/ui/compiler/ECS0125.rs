//! ECS0125: an undeclared accumulation.

use ecs_core::{Accumulate, Entity, world};
struct Aim(Entity);
struct Damage(u32);
impl Accumulate for Damage { fn accumulate(&mut self, other: Self) { self.0 += other.0; } }

world! {
    world W;
    component Aim, Damage;
    system Shoot { each: |aim: &Aim, effects| effects.accumulate(aim.0, Damage(10)) }
}

fn main() {}
