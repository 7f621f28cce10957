//! A body accumulates a component that does not say how, and the number in the place of its component.

use ecs_core::{Accumulate, Entity, world};

struct Aim(Entity);
struct Damage(u32);
struct Armour(u32);

impl Accumulate for Damage {
    fn accumulate(&mut self, other: Self) {
        self.0 += other.0;
    }
}

world! {
    world Arena;
    component Aim, Damage, Armour;
    system Shoot { accumulate: [Damage], each: |aim: &Aim, effects| effects.accumulate(aim.0, 10u32) }
    system Guard { accumulate: [Damage], each: |aim: &Aim, effects| effects.accumulate(aim.0, Armour(1)) }
}

fn main() {}
