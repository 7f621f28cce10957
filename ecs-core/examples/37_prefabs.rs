//! A level designer writes a tank with its crew as text. The game spawns a company of tanks, and copies one that has been in a battle.
//!
//! A `Prefab` is several entities with the links between them. Prefabs as text need the feature `ron` of `ecs-core`, as bytes the feature `serde`.
//!
//! Run it: `cargo run -p ecs-core --example 37_prefabs`

use std::error::Error;

use ecs_core::{Entity, MapEntities, TextFormat, World, world};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Armor(u32);

/// It refers to another entity of the tank. A spawn replaces the handle by that of the new entity.
#[derive(Clone, MapEntities, Serialize, Deserialize)]
struct Gunner(#[entities] Entity);

#[derive(Clone, Serialize, Deserialize)]
struct Name(String);

struct PartOf;

world! {
    world Field;
    component Armor, Gunner;
    component Name: hash_map;
    relation PartOf: one_to_many, on_despawn: despawn;
}

/// The entities have the numbers 0, 1 and 2. `"PartOf": 0` is a link to entity 0, and `(2, 1)` is the handle of entity 2.
const TANK: &str = r#"(
    world: "Field",
    entities: [
        {"Armor": (80)},
        {"Armor": (40), "PartOf": 0, "Gunner": ((2, 1))},
        {"Name": ("Kim"), "PartOf": 1},
    ],
)"#;

/// A company of tanks, and a copy of a wreck.
pub fn main() -> Result<(), Box<dyn Error>> {
    let format = TextFormat::new().component::<Armor>().component::<Gunner>().component::<Name>();
    let mut world = World::<Field>::new();
    let tank = format.load_prefab(&world, TANK)?;
    let company = world.spawn_prefabs(&tank, 10);
    println!("{} tanks of {} entities", company.len() / tank.len(), tank.len());

    let [hull, turret, gunner] = company[6..9] else { unreachable!("a tank has three") };
    assert_eq!(world.parent::<PartOf>(gunner), Some(turret));
    assert_eq!(world.get::<Gunner>(turret).map(|one| one.0), Some(gunner));

    // After a battle.
    world.get_mut::<Armor>(hull).expect("a hull has armor").0 = 15;
    let wreck = world.prefab_tree::<PartOf>(hull)?;
    println!("{}", format.save_prefab(&wreck)?);
    let copies = world.spawn_prefab(&wreck);
    assert_eq!(world.get(copies[0]), Some(&Armor(15)));

    // What is part of a hull goes with it.
    world.despawn(hull);
    assert_eq!(world.entity_count(), 10 * 3);
    Ok(())
}
