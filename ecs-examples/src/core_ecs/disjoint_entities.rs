//! Two systems of one type that change the same component of different entities at once (listing 6).
//!
//! One system increases the numbers below a threshold, and the same system, configured otherwise, decreases
//! the others. Which entities are whose depends on values, so no signature tells that the two never meet.
//! Written as in the paper, with a comparison in the body, both would write the component `Int` of all
//! entities, and this library does not compile it (E0032):
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
//! What a compiler can tell is presence. So `Classify` looks at the values, and tags with `Below` whoever
//! is below; `Increment` requires the tag and `Decrement` excludes it, and from these filters the library
//! proves that no entity belongs to both: they may run at the same time, each split over threads.
//! `refresh_before_dependents` lets both see the tags of the same step, by a refresh behind `Classify`;
//! under `after_step` they would use those of the step before, and under `deny` the program would not
//! compile. The threshold is a value at run time, and may change from step to step; the two bodies, which
//! know only how much they add, need not know it.

use ecs_core::access::Writes;
use ecs_core::signature::SystemName;
use ecs_core::{Data, Entity, System, Threads, World, world};

use super::{column, line, output};

/// The number of an entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Int(pub i64);

/// Who has a number below the threshold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Below;

/// The least number that is not to be increased.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threshold(pub i64);

world! {
    /// Numbers on their way to a threshold.
    pub world DisjointEntities { staged_changes: refresh_before_dependents }

    component Int: contiguous_buffer;
    component Below: empty;

    resource Threshold = Threshold(4);

    system Classify {
        parallelism: split_evenly(cores),
        read: [Int],
        read_optional: [Below],
        read_resources: [Threshold],
        insert: [Below],
        remove: [Below],
    }
    system Increment: Adjust {
        parallelism: split_evenly(cores),
        dependencies: [Classify],
        state: Adjust { by: 1 },
        write: [Int],
        with: [Below],
    }
    system Decrement: Adjust {
        parallelism: split_evenly(cores),
        dependencies: [Classify],
        state: Adjust { by: -1 },
        write: [Int],
        without: [Below],
    }
}

/// Tags whoever is below the threshold, and nobody else.
#[derive(Debug, Default)]
pub struct Classify;

impl System<DisjointEntities> for Classify {
    fn process(&self, data: &mut Data<'_, DisjointEntities, Self>) {
        let threshold = data.resource::<Threshold>().0;
        let (own, effects) = data.split();
        own.for_entities(|e| match (e.int.0 < threshold, e.below) {
            (true, None) => effects.insert(e.entity, Below),
            (false, Some(_)) => effects.remove::<Below>(e.entity),
            _ => {}
        });
    }
}

/// Adds to numbers.
#[derive(Debug)]
pub struct Adjust {
    /// How much.
    pub by: i64,
}

impl<N> System<DisjointEntities, N> for Adjust
where
    N: SystemName<DisjointEntities, System = Self> + Writes<Int, DisjointEntities>,
{
    fn process(&self, data: &mut Data<'_, DisjointEntities, N>) {
        data.query::<&mut Int>().for_each(|int| int.0 += self.by);
    }
}

/// A world of these numbers.
///
/// # Panics
///
/// If there are more than a world can hold: 2³¹ − 1.
pub fn numbers(threads: Threads, numbers: &[i64]) -> World<DisjointEntities> {
    let mut world = World::on(threads);
    let spawned: Result<Vec<Entity>, _> = world
        .step(|step| numbers.iter().map(|&number| step.spawn((Int(number),))).collect())
        .expect("nothing is staged");
    spawned.expect("the limit is dynamic");
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
/// # Panics
///
/// With the panic of a system; these have none.
pub fn advance(world: &mut World<DisjointEntities>) {
    world.step(|step| step.execute_systems().run()).expect("nothing is spawned");
}

/// Listing 7: two numbers, and what becomes of them in two frames.
pub fn listing_7(threads: Threads) -> String {
    let mut world = numbers(threads, &[3, 8]);
    let state = |world: &World<_>| {
        let numbers = seen(world);
        let next_fresh = numbers.iter().map(|(entity, _)| entity.index() + 1).max();
        line(&[column("Int", numbers)], next_fresh.unwrap_or(0))
    };
    let mut states = vec![state(&world)];
    for _ in 0..2 {
        advance(&mut world);
        states.push(state(&world));
    }
    output(&states)
}
