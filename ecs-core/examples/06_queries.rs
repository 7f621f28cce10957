//! Which entities a system meets, and what it reads of them.
//!
//! `read` and `write` require a component. `with` and `without` filter, `read_optional` and `write_optional`
//! take what is there. Filters that exclude each other let two systems write one component side by side.
//!
//! Run it: `cargo run -p ecs-core --example 06_queries`

use std::error::Error;

use ecs_core::{Entity, World, world};

#[derive(Debug, PartialEq)]
struct Health(i32);
struct Armor(i32);
struct Poisoned;

world! {
    world Arena;

    component Health;
    component Armor: sparse_set;
    component Poisoned: empty;

    // No entity belongs to both, so the two systems need no order.
    system Suffer {
        write: [Health],
        with: [Poisoned],
        read_optional: [Armor],
        run: |data| {
            // `query` picks some of the declared components, and yields an iterator.
            for (health, armor) in data.own.query::<(&mut Health, Option<&Armor>)>() {
                health.0 -= 10 - armor.map_or(0, |armor| armor.0);
            }
        },
    }
    system Recover {
        without: [Poisoned],
        each: |health: &mut Health| health.0 += 1,
    }
}

/// One step of three fighters: poisoned, poisoned with armor, and well.
pub fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::<Arena>::new();
    let poisoned = world.spawn((Health(50), Poisoned));
    let armored = world.spawn((Health(50), Poisoned, Armor(4)));
    let well = world.spawn((Health(50),));

    world.tick()?;

    // The program queries the world between steps, too.
    for (entity, health, armor) in world.iter::<(Entity, &Health, Option<&Armor>)>() {
        println!("{entity:?}: {health:?}, armor {}", armor.map_or(0, |armor| armor.0));
    }
    assert_eq!(
        [poisoned, armored, well].map(|fighter| world.get::<Health>(fighter).map(|h| h.0)),
        [Some(40), Some(44), Some(51)]
    );
    Ok(())
}
