//! Flocks of boids through the library: a query with a bounded grid.

use ecs_core::joins::Coordinates;
use ecs_core::{Threads, World, world};

use crate::flock::{CELL, Seen, Vector, advance, side};

#[derive(Clone, Copy)]
struct Position(Vector);
#[derive(Clone, Copy)]
struct Velocity(Vector);
struct Steering(Vector);
struct Side(f32);

impl Coordinates for Position {
    type Point = Vector;

    fn coordinates(&self) -> Vector {
        self.0
    }
}

/// A flock of one size: the box of its grid is in the declaration.
macro_rules! flock {
    ($(#[$doc:meta])* $name:ident, $count:expr) => {
        $(#[$doc])*
        pub mod $name {
            use super::*;

            /// The number of boids.
            pub const BOIDS: usize = $count;

            world! {
                world Flock;
                component Position, Velocity, Steering;
                resource Side = Side(side(BOIDS));
                query Near {
                    read: [Velocity],
                    index: by_cell(Position, CELL).within([0.0; 2], [side(BOIDS); 2]),
                    parallelism: split_evenly(cores),
                }
                system Steer {
                    read: [Position, Velocity],
                    write: [Steering],
                    queries: [Near(Position, Velocity)],
                    parallelism: split_evenly(cores),
                    run: |data| {
                        let (own, effects) = (&mut data.own, &mut data.effects);
                        let near = effects.near::<Near, (&Position, &Velocity)>();
                        own.for_entities(|boid| {
                            let (at, mut seen) = (boid.position.0, Seen::default());
                            near.at(at).for_each(|(other, velocity)| seen.add(at, other.0, velocity.0));
                            boid.steering.0 = seen.steering(at, boid.velocity.0);
                        });
                    },
                }
                system Move {
                    dependencies: [Steer],
                    parallelism: split_evenly(cores),
                    each: |steering: &Steering, position: &mut Position, velocity: &mut Velocity, side: &Side| {
                        advance(&mut position.0, &mut velocity.0, steering.0, side.0);
                    },
                }
            }

            /// The flock.
            #[derive(Debug)]
            pub struct Boids(World<Flock>);

            impl Boids {
                /// The flock of these boids, of which there are [`BOIDS`].
                #[must_use]
                pub fn new(boids: &[(Vector, Vector)], threads: Threads) -> Self {
                    let mut world = World::<Flock>::on(threads);
                    world.spawn_batch(boids.iter().map(|&(position, velocity)| {
                        (Position(position), Velocity(velocity), Steering([0.0; 2]))
                    }));
                    Self(world)
                }

                /// One step of all boids.
                ///
                /// # Panics
                /// Never: nothing is staged.
                pub fn step(&mut self) {
                    self.0.tick().expect("nothing is staged");
                }

                /// The positions.
                #[must_use]
                pub fn positions(&self) -> Vec<Vector> {
                    self.0.iter::<&Position>().map(|position| position.0).collect()
                }
            }
        }
    };
}

flock! {
    /// 500 boids, for tests.
    of_500, 500
}
flock! {
    /// 10 000 boids.
    of_10_000, 10_000
}
flock! {
    /// 20 000 boids.
    of_20_000, 20_000
}
flock! {
    /// 200 000 boids.
    of_200_000, 200_000
}

pub use of_10_000::{BOIDS, Boids};
