//! A parameter that is only read is written, and a resource that is a parameter is asked of the effects, too.

use ecs_core::world;

struct Position(f32);
struct Velocity(f32);
#[derive(Default)]
struct Distance(f32);

world! {
    world Rockets;
    component Position, Velocity;
    resource Distance;
    system Fly { each: |position: &Position, velocity: &Velocity| position.0 += velocity.0 }
    system Measure {
        each: |velocity: &Velocity, distance: &mut Distance, effects| {
            distance.0 += velocity.0;
            effects.resource_mut::<Distance>().0 += 1.0;
        },
    }
}

fn main() {}
