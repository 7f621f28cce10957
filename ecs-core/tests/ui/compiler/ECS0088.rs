//! ECS0088: the world as it is now, in a system that is not sequential, or the other way round.

use ecs_core::world;
struct Position(f32);

world! {
    world W;
    component Position;
    system Collide {
        read: [Position],
        despawn,
        run: |data| {
            data.roll(|found| {
                let entity = found.entity();
                found.now().despawn(entity);
            });
        },
    }
}

fn main() {}
