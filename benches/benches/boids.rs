//! A flock of boids: through the library, with a query that has a bounded grid, and by hand, with the same grid.
//!
//! Both compute the same positions, bit for bit. The line with the ratio is of rounds in which the two alternate.

use std::sync::Arc;

use benches::beside;
use benches::by_hand::boids::Boids;
use benches::flock::{CELL, Seen, Vector, advance, boids, side};
use ecs_core::joins::Coordinates;
use ecs_core::{Threads, World, world};
use rayon::ThreadPoolBuilder;

/// The number of boids.
const BOIDS: usize = 10_000;
/// Steps before the measurement, after which the flock no longer lies at random.
const FIRST: usize = 100;
/// Steps of a round.
const STEPS: usize = 20;

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

struct Side(f32);

fn filled(boids: &[(Vector, Vector)], threads: Threads) -> World<Flock> {
    let mut world = World::<Flock>::on(threads);
    world.spawn_batch(
        boids.iter().map(|&(position, velocity)| {
            (Position(position), Velocity(velocity), Steering([0.0; 2]))
        }),
    );
    world
}

fn main() {
    let boids = boids(BOIDS);
    for count in [1, 2] {
        let threads = if count == 1 {
            Threads::Inline
        } else {
            let pool = ThreadPoolBuilder::new().num_threads(count).build();
            Threads::Pool(Arc::new(pool.expect("the threads can be started")))
        };
        let (mut world, mut by_hand) = (filled(&boids, threads), Boids::new(&boids, count));
        let mut library = || world.tick().expect("nothing is staged");
        let mut hand = || by_hand.step();
        for _ in 0..FIRST {
            library();
            hand();
        }
        let repeat = |step: &mut dyn FnMut()| (0..STEPS).for_each(|_| step());
        let (one, other) = beside::best_of(30, || repeat(&mut library), || repeat(&mut hand));
        let mut positions = Vec::new();
        world.iter::<&Position>().for_each(|position| positions.push(position.0));
        assert_eq!(positions, by_hand.positions());
        let steps = STEPS as u32;
        let title = format!("{BOIDS} boids, a step, threads: {count}");
        beside::report(&title, ("library", one / steps), ("by hand", other / steps));
    }
}
