//! A bundle within a bundle: the message says what to leave out.

use ecs_core::{World, world};

struct Position(f32);
struct Velocity(f32);
struct Health(u32);

world! {
    world W;
    component Position, Velocity, Health;
}

fn main() {
    World::<W>::new().spawn((Position(0.0), (Velocity(1.0), Health(3))));
}
