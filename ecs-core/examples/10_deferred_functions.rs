//! A deferred function: a closure with access to the whole world, run at the refresh.
//!
//! Declared effects (`despawn`, `spawn`, `insert`, `remove`) are applied on all threads. A system that declares
//! `defer` may also stage closures, for what these effects cannot express. They run one after the other, in the
//! order (system, subtask, call), so the result does not depend on threads.
//!
//! Run it: `cargo run -p ecs-core --example 10_deferred_functions`

use std::error::Error;

use ecs_core::{Data, Entity, World, world};

#[derive(Debug, PartialEq)]
struct Gold(u32);
/// The entity that this one pays taxes to.
struct Lord(Entity);

world! {
    world Realm;

    component Gold, Lord;

    system Tax { read: [Gold, Lord], defer, parallelism: split_evenly(cores), run: tax }
}

/// Each peasant pays a tenth of the gold to the lord.
fn tax(data: &mut Data<'_, Realm, Tax>) {
    for peasant in data.own.iter() {
        let (peasant, lord, due) = (peasant.entity, peasant.lord.0, peasant.gold.0 / 10);
        data.effects.defer(move |world| {
            // What earlier functions have done is visible here.
            if let Some(gold) = world.get_mut::<Gold>(lord) {
                gold.0 += due;
                world.get_mut::<Gold>(peasant).expect("a payer has gold").0 -= due;
            }
        });
    }
}

/// A thousand peasants pay a tenth of their gold.
pub fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::<Realm>::new();
    let lord = world.spawn((Gold(0),));
    world.spawn_batch((0..1_000).map(|n| (Gold(n), Lord(lord))));

    world.tick()?;
    println!("the lord owns {:?}", world.get::<Gold>(lord));
    let expected = (0..1_000).map(|n| n / 10).sum();
    assert_eq!(world.get::<Gold>(lord), Some(&Gold(expected)));

    let total: u32 = world.iter::<&Gold>().map(|gold| gold.0).sum();
    assert_eq!(total, (0..1_000).sum::<u32>(), "gold moves, and none is lost");
    Ok(())
}
