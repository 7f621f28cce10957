//! ECS0052: an undeclared read of any entity.

use ecs_core::world;
struct Position(f32);

world! {
    world W;
    component Position;
    system Look {
        read: [Position],
        run: |data| { let _positions = data.effects.read_any::<Position>(); },
    }
}

fn main() {}
