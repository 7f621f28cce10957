//! Closures that use what their systems do not declare, that assign to what these only read, and that do not use what
//! these declare.

use ecs_core::world;

struct Position(f32);
struct Velocity([f32; 2]);
struct Mass(f32);
#[derive(Default)]
struct Gravity(f32);

world! {
    world Rockets;
    component Position, Velocity, Mass;
    resource Gravity;
    system Slow { read: [Velocity], each: |rocket| rocket.velocity.0[1] *= 0.5 }
    system Fly {
        dependencies: [Slow],
        write: [Position],
        each: |rocket| rocket.position.0 += rocket.velocity.0[0] * rocket.mass.0,
    }
}

mod fine {
    use super::*;

    world! {
        world Unused;
        component Position, Velocity, Mass;
        resource Gravity;
        system Fly {
            read: [Velocity, Mass],
            write: [Position],
            read_resources: [Gravity],
            despawn,
            each: |rocket| rocket.position.0 += rocket.velocity.0[0],
        }
        #[allow(unused_right)]
        system Land { dependencies: [Fly], write: [Position], despawn, each: |_| {} }
    }
}

fn main() {}
