//! Refresh events: the step is told which entities systems gained and lost.
//!
//! `step_with` takes functions that the refresh calls for each entity that a system was subscribed to or
//! unsubscribed from, and for each entity that was reclaimed.
//!
//! Run it: `cargo run -p ecs-core --example 13_refresh_events`

use std::error::Error;

use ecs_core::events::Events;
use ecs_core::{Data, System, World, world};

struct Position(f32);
struct Sail;

world! {
    world Sea;

    component Position;
    component Sail: empty;

    system Cruise { write: [Position], with: [Sail] }
}

/// A system with state is a type that implements `System`. Its value is the state, and the world owns it.
#[derive(Default)]
struct Cruise {
    fleet: usize,
}

impl System<Sea> for Cruise {
    fn process(&self, data: &mut Data<'_, Sea, Self>) {
        data.own.for_entities(|ship| ship.position.0 += 1.0);
    }
}

/// A ship is built, another one loses its sail, a third one sinks.
pub fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::<Sea>::new();
    let [raft, first, second] = world.step_with(
        Events::new().on_subscribe::<Cruise>(|event| event.system_mut().fleet += 1),
        |step| {
            let raft = step.spawn((Position(0.0),));
            let [first, second] = [1.0, 2.0].map(|at| step.spawn((Position(at), Sail)));
            [raft, first, second]
        },
    )?;
    // The raft has no sail, so `Cruise` was never subscribed to it.
    println!("fleet: {}", world.system::<Cruise>().fleet);
    assert_eq!(world.system::<Cruise>().fleet, 2);

    let (mut left, mut sunk) = (Vec::new(), Vec::new());
    let events = Events::new()
        .on_unsubscribe::<Cruise>(|event| left.push(event.entity()))
        .on_reclaim(|event| sunk.push(event.entity()));
    world.step_with(events, |step| {
        step.remove::<Sail>(first);
        step.despawn(second);
        step.despawn(raft);
    })?;
    println!("left the fleet: {left:?}, sunk: {sunk:?}");
    assert_eq!(left, [first, second]);
    assert_eq!(sunk, [raft, second]);
    Ok(())
}
