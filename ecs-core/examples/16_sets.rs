//! A set: components, resources and systems that several worlds include.
//!
//! A set is declared where its types are, also in another crate. A world that includes it can order its own
//! systems before and after those of the set, and is checked as a whole.
//!
//! Run it: `cargo run -p ecs-core --example 16_sets`

use std::error::Error;

use ecs_core::{World, world};
use physics::{Position, Velocity};

/// What another crate could export.
pub mod physics {
    use ecs_core::set;

    /// Where an entity is.
    pub struct Position(pub f32);
    /// By how much it moves in a step.
    pub struct Velocity(pub f32);

    set! {
        /// Things that move.
        pub set Physics;

        component Position, Velocity;

        /// Adds velocities to positions, in every world that includes the set.
        system Move {
            each: |position: &mut Position, velocity: &Velocity| position.0 += velocity.0,
        }
    }
}

world! {
    world Tennis;

    include physics::Physics;

    system Bounce {
        dependencies: [Move],
        each: |position: &Position, velocity: &mut Velocity| {
            if !(0.0..=10.0).contains(&position.0) {
                velocity.0 = -velocity.0;
            }
        },
    }
}

/// A ball goes to and fro.
pub fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::<Tennis>::new();
    let ball = world.spawn((Position(2.0), Velocity(4.0)));
    let mut positions = Vec::new();
    for _ in 0..6 {
        world.tick()?;
        positions.extend(world.get::<Position>(ball).map(|position| position.0));
    }
    println!("the ball: {positions:?}");
    assert_eq!(positions, [6.0, 10.0, 14.0, 10.0, 6.0, 2.0]);
    Ok(())
}
