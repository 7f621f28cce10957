//! ECS0050: an undeclared read.

use ecs_core::world;
struct Position(f32);
struct Velocity(f32);

world! {
    world W;
    component Position, Velocity;
    system Move {
        write: [Position],
        run: |data| data.own.query::<(&mut Position, &Velocity)>().for_each(|_| {}),
    }
}

fn main() {}
