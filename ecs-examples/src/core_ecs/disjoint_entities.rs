//! Two systems of one type that change the same component of different entities at the same time (listing 6).
//!
//! One system increases the numbers below a threshold, and the same system, with another configuration, decreases
//! the others. The entities of each depend on values, so signatures cannot prove that they are disjoint.
//! If both *wrote* the numbers, the declaration would not compile (ECS0032):
//!
//! ```compile_fail
//! use ecs_core::{Data, System, World, access::Writes, signature::SystemName, world};
//!
//! pub struct Int(i64);
//! pub struct Adjust { bound: i64, increment: bool }
//!
//! world! {
//!     pub world Numbers;
//!     component Int;
//!     system Increment: Adjust { write: [Int], state: Adjust { bound: 4, increment: true } }
//!     system Decrement: Adjust { write: [Int], state: Adjust { bound: 4, increment: false } }
//! }
//!
//! impl<N: SystemName<Numbers, System = Self> + Writes<Int, Numbers>> System<Numbers, N> for Adjust {
//!     fn process(&self, data: &mut Data<'_, Numbers, N>) {
//!         data.own.query::<&mut Int>().for_each(|int| match (int.0 < self.bound, self.increment) {
//!             (true, true) => int.0 += 1,
//!             (false, false) => int.0 -= 1,
//!             _ => {}
//!         });
//!     }
//! }
//! # fn main() { let _ = World::<Numbers>::new(); }
//! ```
//!
//! The library in the paper's comparison compiles it, runs one system after the other in an order
//! of its own, and computes other numbers.
//!
//! So here the systems *update* the numbers: both read the old numbers at the same time, each split over threads, and
//! stage new ones, which apply from the refresh on. The refresh checks that the two update different entities. If
//! their thresholds were not the same, the step would report the entity that both have updated
//! ([`StepError::UpdateConflict`]), and its number would not change.
//!
//! If components, not values, separate the entities, no check at run time is needed: two systems of
//! which one requires a tag and the other excludes it may write at the same time.

use ecs_core::SystemName;
use ecs_core::access::Updates;
use ecs_core::{Data, Entity, Place, StepError, System, Threads, World, world};

use super::{column, line, output};

/// The number of an entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Int(pub i64);

world! {
    /// Numbers that approach a threshold.
    pub world DisjointEntities;

    component Int;

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
    /// The threshold: the least number that is not increased.
    pub bound: i64,
    /// Whether it increases the numbers below the threshold or decreases the others.
    pub increment: bool,
}

impl<N> System<DisjointEntities, N> for Adjust
where
    N: SystemName<DisjointEntities, System = Self> + Updates<Int, DisjointEntities>,
{
    fn process(&self, data: &mut Data<'_, DisjointEntities, N>) {
        let Data { own, effects, .. } = data;
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
/// If there are more than 2³¹ − 1, the maximum of a world.
pub fn numbers(threads: Threads, numbers: &[i64]) -> World<DisjointEntities> {
    let mut world = World::on(threads);
    let bundles = numbers.iter().map(|&number| (Int(number),));
    let filled = world.step(|step| {
        step.spawn_batch(bundles);
    });
    filled.expect("nothing is staged");
    world
}

/// The numbers of a world, in ascending order of entities.
pub fn seen(world: &World<DisjointEntities>) -> Vec<(Entity, i64)> {
    let mut numbers = Vec::new();
    for (entity, int) in world.iter::<(Entity, &Int)>() {
        numbers.push((entity, int.0));
    }
    numbers.sort_unstable();
    numbers
}

/// Advances by one frame.
///
/// # Errors
///
/// If both systems have updated a number, which happens if their thresholds differ.
pub fn advance(world: &mut World<DisjointEntities>) -> Result<(), StepError> {
    world.tick()
}

/// Listing 7: two numbers over two frames.
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
