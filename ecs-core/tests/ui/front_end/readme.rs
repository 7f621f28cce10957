//! The program of `README.md` without its order.

use ecs_core::{StepError, World, world};

struct Position(f32);
struct Velocity(f32);

world! {
    /// Rockets on a line.
    world Rockets;

    component Position, Velocity;

    system Burn { each: |velocity: &mut Velocity| velocity.0 += 1.0 }
    system Fly {
        parallelism: split_evenly(cores),
        each: |position: &mut Position, velocity: &Velocity| position.0 += velocity.0,
    }
}

fn main() -> Result<(), StepError> {
    let mut world = World::<Rockets>::new();
    let rocket = world.spawn((Position(0.0), Velocity(0.0)));
    for _ in 0..2 {
        world.tick()?;
    }
    assert_eq!(world.get::<Position>(rocket).unwrap().0, 3.0);
    Ok(())
}
