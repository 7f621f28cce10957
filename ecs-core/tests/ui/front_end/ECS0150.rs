//! ECS0150: a reference that would hide a change of a tracked component.

use ecs_core::world;
struct Position(f32);
struct Velocity(f32);

world! {
    world W;
    component Position, Velocity;
    system Move { each: |position: &mut Position, velocity: &Velocity| position.0 += velocity.0 }
    system Draw { read: [Position], changed: [Position], dependencies: [Move], run: |_| {} }
}

fn main() {}
