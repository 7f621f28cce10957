//! Random numbers that do not depend on threads.
//!
//! A system that declares `random` draws the numbers of an entity. They follow from the seed of the world, the system, the
//! execution and the entity. There is no generator to store, to lock, or to give to each thread.
//!
//! Run it: `cargo run -p ecs-core --example 21_random`

use std::error::Error;
use std::sync::Arc;

use ecs_core::{Entity, StateHash, Threads, World, world};
use rayon::ThreadPoolBuilder;

#[derive(Clone, Copy, StateHash)]
struct Position([f32; 2]);
#[derive(Clone, Default, StateHash)]
struct Wind(f32);

world! {
    world Pollen { seed: 2026 }

    component Position;
    resource Wind;

    // One subtask may draw numbers of the system itself.
    system Blow {
        random,
        run: |effects, wind: &mut Wind| wind.0 = effects.random_of_system().f32() * 0.2,
    }
    system Drift {
        random,
        dependencies: [Blow],
        despawn,
        spawn: [Position],
        parallelism: split_every(64),
        each: |grain: Entity, position: &mut Position, wind: &Wind, effects| {
            // One generator for the entity; each draw takes its next number.
            let mut random = effects.random(grain);
            position.0[0] += random.f32() - 0.5 + wind.0;
            position.0[1] += random.f32() - 0.5;
            match random.range(1..=20) {
                1 => effects.despawn(grain),
                2 => effects.spawn((*position,)),
                _ => {}
            }
        },
    }
}

/// The state hash after ten steps.
fn run(threads: usize, seed: u64) -> Result<u64, Box<dyn Error>> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build()?;
    let mut world = World::<Pollen>::on(Threads::Eager(Arc::new(pool)));
    world.set_seed(seed);
    world.spawn_batch([(Position([0.0; 2]),); 1000]);
    for _ in 0..10 {
        world.tick()?;
    }
    let hash = world.state_hash();
    println!("seed {seed}, {threads} threads: {} grains, {hash:016x}", world.entity_count());
    Ok(hash)
}

/// The same numbers on any threads, and others with another seed.
pub fn main() -> Result<(), Box<dyn Error>> {
    let seed = World::<Pollen>::new().seed();
    let expected = run(1, seed)?;
    assert_eq!([run(2, seed)?, run(4, seed)?], [expected; 2]);
    assert_ne!(run(4, seed + 1)?, expected);
    Ok(())
}
