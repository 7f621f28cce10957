//! ECS0086: an undeclared query.

use ecs_core::world;
struct Position(f32);

world! {
    world W;
    component Position;
    query All { read: [Position] }
    system Meet {
        read: [Position],
        run: |data| for _ in data.effects.members::<All, &Position>() {},
    }
}

fn main() {}
