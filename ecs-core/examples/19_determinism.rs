//! The same input gives the same bits, on any number of threads.
//!
//! The world below spawns, despawns, and adds up floats. Threads, scheduler and split do not show in its state hash.
//!
//! Run it: `cargo run -p ecs-core --example 19_determinism`

use std::error::Error;
use std::sync::Arc;

use ecs_core::settings::{Allow, AtomicCounter, Config, Disallow, Dynamic, Sequential, Settings};
use ecs_core::{Entity, StateHash, Threads, World, world};
use rayon::ThreadPoolBuilder;

#[derive(Clone, Copy, StateHash)]
struct Mass(f32);
#[derive(Default, StateHash)]
struct Total(f32);

world! {
    world Stars;

    component Mass;
    resource Total;

    system Split {
        parallelism: split_evenly(cores),
        despawn,
        spawn: [Mass],
        output: Vec<f32>,
        each: |star: Entity, mass: &mut Mass, effects| {
            mass.0 = mass.0 * 1.7 % 11.3;
            effects.output().push(mass.0);
            match mass.0 {
                8.0.. => effects.spawn((Mass(mass.0 / 3.0),)),
                ..1.5 => effects.despawn(star),
                _ => {}
            }
        },
    }
    // Floats added in another order give other bits. The order is that of entities.
    system Weigh {
        inputs: [Split],
        run: |effects, total: &mut Total| total.0 = effects.outputs_of::<Split>().flatten().sum(),
    }
}

/// The state hashes of twenty steps.
fn run<S: Settings>(threads: usize) -> Result<[u64; 20], Box<dyn Error>> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build()?;
    // `Eager` shares even small work, so all threads take part.
    let mut world = World::<Stars, S>::on(Threads::Eager(Arc::new(pool)));
    world.step(|step| {
        step.spawn_batch((1..=500).map(|n| (Mass(n as f32),)));
    })?;
    let mut hashes = [0; 20];
    for hash in &mut hashes {
        world.tick()?;
        *hash = world.state_hash();
    }
    println!("{threads} threads: {} stars, hash {:016x}", world.entity_count(), hashes[19]);
    Ok(hashes)
}

/// Runs the same program in five ways.
pub fn main() -> Result<(), Box<dyn Error>> {
    type Declared = Config<Dynamic<64>, Allow, AtomicCounter>;
    let expected = run::<Declared>(1)?;
    assert_eq!([run::<Declared>(2)?, run::<Declared>(4)?], [expected; 2]);
    assert_eq!(run::<Config<Dynamic<64>, Allow, Sequential>>(2)?, expected);
    assert_eq!(run::<Config<Dynamic<64>, Disallow, AtomicCounter>>(2)?, expected);
    Ok(())
}
