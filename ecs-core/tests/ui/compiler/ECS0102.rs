//! ECS0102: a type that cannot be combined in any order.

use ecs_core::{Combine, world};
struct Mass(f32);

#[derive(Combine, Default)]
struct Total(f32);

world! {
    world W;
    component Mass;
    resource Total: sum;
    system Weigh { add: [Total], each: |mass: &Mass, effects| effects.add(Total(mass.0)) }
}

fn main() {}
