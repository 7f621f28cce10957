//! Boids: [`benches::flock`] in plain vectors with a dense grid by counting sort ([`benches::by_hand::boids`]), and through
//! the library with a query that has the same grid.

use benches::by_hand;
use benches::flock::{CELL, Seen, Vector, advance, boids, side};
use ecs_core::joins::Coordinates;
use ecs_core::{Threads, World, world};

use super::measure::{Course, Model, Report};

impl Model for by_hand::boids::Boids {
    type State = Vec<Vector>;

    fn step(&mut self) -> usize {
        by_hand::boids::Boids::step(self);
        self.positions().len()
    }

    fn state(&self) -> Vec<Vector> {
        self.positions().to_vec()
    }
}

#[derive(Clone, Copy)]
struct Position(Vector);
#[derive(Clone, Copy)]
struct Velocity(Vector);
struct Steering(Vector);

impl Coordinates for Position {
    type Point = Vector;

    fn coordinates(&self) -> Vector {
        self.0
    }
}

/// A flock of one size: the box of its grid is in the declaration.
macro_rules! flock {
    ($name:ident, $count:expr) => {
        mod $name {
            use super::*;

            pub(super) const COUNT: usize = $count;

            struct Side(f32);

            world! {
                world Flock;
                component Position, Velocity, Steering;
                resource Side = Side(side(COUNT));
                query Near {
                    read: [Velocity],
                    index: by_cell(Position, CELL).within([0.0; 2], [side(COUNT); 2]),
                    parallelism: split_evenly(cores),
                }
                system Steer {
                    read: [Position, Velocity],
                    write: [Steering],
                    queries: [Near(Position, Velocity)],
                    parallelism: split_evenly(cores),
                    run: |data| {
                        let near = data.effects.near::<Near, (&Position, &Velocity)>();
                        data.own.for_entities(|boid| {
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

            pub(super) struct Library(World<Flock>);

            impl Library {
                pub(super) fn new(threads: Threads) -> Self {
                    let mut world = World::<Flock>::on(threads);
                    world.spawn_batch(boids(COUNT).into_iter().map(|(position, velocity)| {
                        (Position(position), Velocity(velocity), Steering([0.0; 2]))
                    }));
                    Self(world)
                }
            }

            impl Model for Library {
                type State = Vec<Vector>;

                fn step(&mut self) -> usize {
                    self.0.tick().expect("nothing is staged");
                    COUNT
                }

                fn state(&self) -> Vec<Vector> {
                    self.0.iter::<&Position>().map(|position| position.0).collect()
                }
            }
        }
    };
}

flock!(small, 20_000);
flock!(large, 200_000);
flock!(tiny, 500);

pub(crate) fn measure(report: &Report) {
    let plain = |count| by_hand::boids::Boids::new(&boids(count), 1);
    let course = |steps, rounds| Course { first: 5, steps, rounds };
    if report.is_test() {
        report.compare("boids, 500", course(1, 1), || plain(tiny::COUNT), tiny::Library::new);
        return;
    }
    report.compare("boids, 20 000", course(4, 20), || plain(small::COUNT), small::Library::new);
    report.compare("boids, 200 000", course(1, 8), || plain(large::COUNT), large::Library::new);
}
