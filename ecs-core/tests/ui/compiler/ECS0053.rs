//! ECS0053: a system that is not exclusive.

use ecs_core::world;
struct Position(f32);

world! {
    world W;
    component Position;
    system Solve {
        write: [Position],
        run: |data| { let _positions = data.own.any_mut::<&mut Position>(); },
    }
}

fn main() {}
