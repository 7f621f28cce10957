//! Settings: the same declaration with another limit, another scheduler, or on one thread.
//!
//! The declaration has defaults. `World<Name, Config<..>>` replaces them. No code mentions them, and what a step
//! computes does not depend on them, as long as a fixed limit leaves room.
//!
//! Run it: `cargo run -p ecs-core --example 15_settings`

use std::error::Error;

use ecs_core::settings::{
    Allow, AtomicCounter, Config, Disallow, Dynamic, Fixed, Sequential, Settings,
};
use ecs_core::{StepError, Threads, World, world};

struct Cell;

world! {
    world Dish { entity_limit: dynamic(64), inner_parallelism: allow, scheduler: atomic_counter }

    component Cell: empty;

    system Divide { spawn: [Cell], each: |_: &Cell, effects| effects.spawn((Cell,)) }
}

/// Doubles the cells of a dish five times. How many there are, or why the last step failed.
fn grow<S: Settings>(threads: Threads) -> Result<usize, Box<dyn Error>> {
    let mut world = World::<Dish, S>::on(threads);
    // In a step, `spawn` returns the entity under any limit.
    world.step(|step| step.spawn((Cell,)))?;
    for _ in 0..5 {
        world.tick()?;
    }
    Ok(world.entity_count())
}

/// Grows the same dish under several settings.
pub fn main() -> Result<(), Box<dyn Error>> {
    type OnOneThread = Config<Fixed<100>, Disallow, Sequential>;

    let counts = [
        grow::<Config<Dynamic<64>, Allow, AtomicCounter>>(Threads::Global)?,
        grow::<Config<Fixed<32>, Allow, AtomicCounter>>(Threads::Inline)?,
        grow::<OnOneThread>(Threads::Inline)?,
    ];
    println!("cells: {counts:?}");
    assert_eq!(counts, [32; 3]);

    // A fixed limit never grows. Spawns without room are lost, and the step reports how many.
    let error = grow::<Config<Fixed<20>, Allow, AtomicCounter>>(Threads::Global).unwrap_err();
    println!("error: {error}");
    let error = error.downcast_ref::<StepError>();
    assert_eq!(error, Some(&StepError::LimitReached { limit: 20, lost: 12 }));
    Ok(())
}
