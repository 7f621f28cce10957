//! ECS0051: an undeclared write.

use ecs_core::world;
struct Position(f32);

world! {
    world W;
    component Position;
    system Move {
        read: [Position],
        run: |data| data.own.query::<&mut Position>().for_each(|position| position.0 += 1.0),
    }
}

fn main() {}
