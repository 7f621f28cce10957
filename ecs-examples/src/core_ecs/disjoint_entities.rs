//! Two systems of one type that change the same component of different entities at once (listing 6).
//!
//! One system increases the numbers below a threshold, and the same system, configured otherwise, decreases
//! the others. Which entities are whose depends on values, so no signature tells that the two never meet.
//! If both *wrote* the numbers, they would not compile (E0032):
//!
//! ```compile_fail
//! use ecs_core::{Data, System, World, access::Writes, signature::SystemName, world};
//!
//! pub struct Int(i64);
//! pub struct Adjust { bound: i64, increment: bool }
//!
//! world! {
//!     pub world Numbers {}
//!     component Int: contiguous_buffer;
//!     system Increment: Adjust { write: [Int], state: Adjust { bound: 4, increment: true } }
//!     system Decrement: Adjust { write: [Int], state: Adjust { bound: 4, increment: false } }
//! }
//!
//! impl<N: SystemName<Numbers, System = Self> + Writes<Int, Numbers>> System<Numbers, N> for Adjust {
//!     fn process(&self, data: &mut Data<'_, Numbers, N>) {
//!         data.query::<&mut Int>().for_each(|int| match (int.0 < self.bound, self.increment) {
//!             (true, true) => int.0 += 1,
//!             (false, false) => int.0 -= 1,
//!             _ => {}
//!         });
//!     }
//! }
//! # fn main() { let _ = World::<Numbers>::new(); }
//! ```
//!
//! The library that the paper compares itself with compiles it, runs one system after the other in an order
//! of its own, and comes out with other numbers.
//!
//! So here they *update* them: both read the old numbers, at the same time, each split over threads, and
//! stage new ones, which count from the refresh on. That the two keep to different entities is their claim,
//! and the refresh looks: were their thresholds not the same, the step would say which number both have
//! updated ([`StepError::UpdateConflict`]), and that one would stay as it was.
//!
//! Where entities are told apart by what they have, not by values, nothing need be looked at: systems of
//! which one requires a tag and the other excludes it may write at once.

use ecs_core::access::Updates;
use ecs_core::signature::SystemName;
use ecs_core::{Data, Entity, Place, StepError, System, Threads, World, world};

use super::{column, line, output};

/// The number of an entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Int(pub i64);

world! {
    /// Numbers on their way to a threshold.
    pub world DisjointEntities {}

    component Int: contiguous_buffer;

    system Increment: Adjust {
        parallelism: split_evenly(cores),
        update: [Int],
        state: Adjust { bound: 4, increment: true },
    }
    system Decrement: Adjust {
        parallelism: split_evenly(cores),
        update: [Int],
        state: Adjust { bound: 4, increment: false },
    }
}

/// Increases the numbers below a threshold, or decreases the others.
#[derive(Debug)]
pub struct Adjust {
    /// The threshold: the least number that is not to be increased.
    pub bound: i64,
    /// Which of the two.
    pub increment: bool,
}

impl<N> System<DisjointEntities, N> for Adjust
where
    N: SystemName<DisjointEntities, System = Self> + Updates<Int, DisjointEntities>,
{
    fn process(&self, data: &mut Data<'_, DisjointEntities, N>) {
        let (own, effects) = data.split();
        own.query::<(Place, &Int)>().for_each(|(e, n)| match (n.0 < self.bound, self.increment) {
            (true, true) => effects.update(e, Int(n.0 + 1)),
            (false, false) => effects.update(e, Int(n.0 - 1)),
            _ => {}
        });
    }
}

/// A world of these numbers.
///
/// # Panics
///
/// If there are more than a world can hold: 2³¹ − 1.
pub fn numbers(threads: Threads, numbers: &[i64]) -> World<DisjointEntities> {
    let mut world = World::on(threads);
    let bundles = numbers.iter().map(|&number| (Int(number),));
    let filled = world.step(|step| step.spawn_batch(bundles).map(drop));
    filled.expect("nothing is staged").expect("the limit is dynamic");
    world
}

/// The numbers of a world, in ascending order of entities.
pub fn seen(world: &World<DisjointEntities>) -> Vec<(Entity, i64)> {
    let mut numbers = Vec::new();
    world.for_each::<(Entity, &Int)>(|(entity, int)| numbers.push((entity, int.0)));
    numbers.sort_unstable();
    numbers
}

/// Lets one frame pass.
///
/// # Errors
///
/// If both systems have updated a number: if their thresholds are not the same.
pub fn advance(world: &mut World<DisjointEntities>) -> Result<(), StepError> {
    world.step(|step| step.execute_systems().run())
}

/// Listing 7: two numbers, and what becomes of them in two frames.
///
/// # Panics
///
/// Never: the thresholds are the same.
pub fn listing_7(threads: Threads) -> String {
    let mut world = numbers(threads, &[3, 8]);
    let state = |world: &World<_>| {
        let numbers = seen(world);
        let next_fresh = numbers.iter().map(|(entity, _)| entity.index() + 1).max();
        line(&[column("Int", numbers)], next_fresh.unwrap_or(0))
    };
    let mut states = vec![state(&world)];
    for _ in 0..2 {
        advance(&mut world).expect("the thresholds are the same");
        states.push(state(&world));
    }
    output(&states)
}
