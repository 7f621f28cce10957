//! ECS0061: an undeclared spawn.

use ecs_core::world;
struct Life(f32);

world! {
    world W;
    component Life;
    system Breed { read: [Life], run: |data| data.effects.spawn((Life(1.0),)) }
}

fn main() {}
