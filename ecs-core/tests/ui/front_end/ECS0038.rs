//! ECS0038: a system that could meet its own writes.

use ecs_core::world;
struct Position(f32);
struct Velocity(f32);

world! {
    world W;
    component Position, Velocity;
    query Obstacles { read: [Position] }
    system Separate { read: [Velocity], write: [Position], queries: [Obstacles], run: |_| {} }
}

fn main() {}
