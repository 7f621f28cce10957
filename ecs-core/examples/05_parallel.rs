//! Two kinds of parallelism: systems beside each other, and one system split into subtasks.
//!
//! `Cool` and `Grow` access different components, so they may run at the same time (outer parallelism). Each is
//! split over the threads as its `parallelism` says (inner parallelism). The code does not mention threads.
//!
//! Run it: `cargo run -p ecs-core --example 05_parallel`

use std::error::Error;
use std::sync::Arc;

use ecs_core::{Threads, World, world};
use rayon::ThreadPoolBuilder;

#[derive(Clone, Copy)]
struct Heat(u64);
#[derive(Clone, Copy)]
struct Age(u64);

world! {
    world Plates { entity_limit: dynamic(10_000) }

    component Heat, Age;

    // As many subtasks as there are threads.
    system Cool {
        parallelism: split_evenly(cores),
        each: |heat: &mut Heat| heat.0 = heat.0.saturating_sub(7),
    }
    // One subtask below 1 000 entities, else one for each 256 entities.
    system Grow {
        parallelism: none_below_threshold(1_000, split_every(256)),
        each: |age: &mut Age| age.0 += 1,
    }
    system Check {
        dependencies: [Cool, Grow],
        output: Vec<u64>,
        each: |heat: &Heat, age: &Age, effects| effects.output().push(heat.0 + age.0),
    }
}

/// Steps the same world on one, two and four threads.
pub fn main() -> Result<(), Box<dyn Error>> {
    let mut sums = Vec::new();
    for threads in [1, 2, 4] {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build()?;
        let mut world = World::<Plates>::on(Threads::Pool(Arc::new(pool)));
        world.spawn_batch((0..10_000).map(|n| (Heat(n), Age(0))));
        for _ in 0..10 {
            world.tick()?;
        }
        let sum: u64 = world.outputs_of::<Check>().flatten().sum();
        println!("on {threads} threads: {sum}");
        sums.push(sum);
    }
    let by_hand: u64 = (0..10_000u64).map(|heat| heat.saturating_sub(70) + 10).sum();
    assert_eq!(sums, [by_hand; 3]);
    Ok(())
}
