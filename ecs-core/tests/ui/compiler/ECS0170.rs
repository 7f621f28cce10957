//! ECS0170: not entities whose handles the refresh gives.

use ecs_core::{Entity, world};
struct Gun;
struct Position(f32);
struct Loaded(Entity);

world! {
    world W;
    component Gun, Position, Loaded;
    system Load {
        with: [Gun],
        spawn: [Position],
        insert: [Loaded],
        each: |gun: Entity, effects| {
            let bullet = effects.spawn_pending((Position(0.0),));
            effects.insert_with(gun, &bullet, Loaded);
        },
    }
}

fn main() {}
