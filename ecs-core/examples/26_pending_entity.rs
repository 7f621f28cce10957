//! Pending entities: a system names what it spawns, gives it more components, and puts its handle into components.
//!
//! Handles are given at the refresh, in an order that depends on no thread. Until then a `PendingEntity` stands for the
//! entity in everything else that the body stages.
//!
//! Run it: `cargo run -p ecs-core --example 26_pending_entity`

use std::error::Error;

use ecs_core::{Entity, World, world};

#[derive(Clone, Copy)]
struct Position(f32);
struct Gun(u32);

/// The latest rocket of a gun.
struct Latest(Entity);

/// The rocket that a trail belongs to.
struct TrailOf(Entity);
struct Burning;

/// To a rocket: the gun that has fired it.
struct FiredBy(Entity);

world! {
    world Range;

    component Position, Gun, Latest, TrailOf;
    component Burning: empty;
    event FiredBy: addressed;

    // In parallel: each subtask fires the guns that are its own.
    system Fire {
        parallelism: split_evenly(cores),
        spawn: [Position, (Position, TrailOf)],
        insert: [Latest, Burning],
        emit: [FiredBy],
        each: |entity: Entity, gun: &mut Gun, position: &Position, effects| {
            let at = *position;
            let rocket = effects.spawn_pending((at,));
            if gun.0 % 2 == 1 {
                effects.insert(rocket, Burning);
            }
            effects.send(rocket, FiredBy(entity));
            // Made at the refresh, with the rocket's handle.
            effects.spawn_with(rocket, move |rocket| (at, TrailOf(rocket)));
            effects.insert_with(entity, rocket, Latest);
            gun.0 += 1;
        },
    }
    // A rocket finds the message in the step after that of its spawn.
    system Launch {
        on: [FiredBy],
        read_any: [Gun],
        write: [Position],
        without: [Gun],
        run: |data| {
            let guns = data.effects.read_any::<Gun>();
            data.for_messages::<FiredBy>(|rocket, mut fired, _| {
                let gun = fired.next().and_then(|by| guns.get(by.0));
                rocket.position.0 += gun.map_or(0.0, |gun| gun.0 as f32);
            });
        },
    }
}

/// Two guns fire twice.
pub fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::<Range>::new();
    let [gun, _] = [5.0, 8.0].map(|at| world.spawn((Position(at), Gun(0))));
    world.tick()?;
    world.tick()?;
    let rocket = world.get::<Latest>(gun).expect("it has fired").0;
    println!("the latest rocket is {rocket:?}, with {} trails", world.iter::<&TrailOf>().count());
    assert!(world.contains::<Burning>(rocket));
    assert!(world.iter::<&TrailOf>().any(|trail| trail.0 == rocket));
    assert_eq!(world.entity_count(), 2 + 2 * 2 * 2);
    Ok(())
}
