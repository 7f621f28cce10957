//! Templates: entities from values that are kept by name, with some of their own.
//!
//! A template is a bundle whose components are known at run time. So one map can hold all that a level spawns.
//!
//! Run it: `cargo run -p ecs-core --example 22_templates`

use std::collections::BTreeMap;
use std::error::Error;

use ecs_core::{Entity, FromTemplate, Template, World, world};

#[derive(Clone, Copy, Debug, PartialEq)]
struct Health(u32);
#[derive(Clone, Copy, Debug, PartialEq)]
struct Speed(f32);
#[derive(Clone, Copy, Debug, PartialEq)]
struct Position(f32);
#[derive(Clone, Debug, PartialEq)]
struct Egg(u32);
struct PartOf;

/// What hatches from an egg.
struct Hatchling(Template<Nest>);

type At = FromTemplate<Nest, (Position,)>;

world! {
    world Nest;

    component Health, Speed, Position, Egg;
    relation PartOf: one_to_many, on_despawn: despawn;
    // One that code spawns by its name: a bundle with values. Its children are spawned with it.
    template Bird { Health(10), Speed(4.0), Position(0.0), children: PartOf [Wing, Wing] }
    template Wing { Speed(9.0) }
    resource Hatchling: transient = Hatchling(Template::new((Health(3), Speed(0.5))));

    system Hatch {
        despawn,
        spawn: [At],
        each: |egg: Entity, time: &mut Egg, at: &Position, hatchling: &Hatchling, effects| {
            time.0 -= 1;
            if time.0 == 0 {
                effects.despawn(egg);
                effects.spawn(hatchling.0.with((*at,)));
            }
        },
    }
}

/// Spawns eggs and birds, and lets the eggs hatch.
pub fn main() -> Result<(), Box<dyn Error>> {
    let mut templates = BTreeMap::new();
    templates.insert("egg", Template::<Nest>::new((Egg(2), Position(0.0))));
    templates.insert("bird", Template::new(Bird::default()));
    // A template is a value: one can be made of another.
    let mut old = templates["bird"].clone();
    old.insert(Speed(1.0));
    templates.insert("old bird", old);

    let mut world = World::<Nest>::new();
    world.spawn_batch((0..5).map(|n| templates["egg"].with((Position(n as f32),))));
    let bird = world.spawn(Bird { position: Position(2.0), ..Bird::default() });
    let old = world.spawn(templates["old bird"].with((Health(6), Position(7.0))));
    assert_eq!(world.get(bird), Some(&Speed(4.0)));
    assert_eq!((world.get(old), world.get(old)), (Some(&Speed(1.0)), Some(&Health(6))));
    // The values, too, have children.
    assert!([bird, old].iter().all(|bird| world.children::<PartOf>(*bird).len() == 2));

    for _ in 0..2 {
        world.tick()?;
    }
    let young: Vec<f32> = world
        .iter::<(&Position, &Health)>()
        .filter(|(_, health)| **health == Health(3))
        .map(|(position, _)| position.0)
        .collect();
    println!("hatched at {young:?}, {:?} is one of the templates", templates["old bird"]);
    assert_eq!(young, [0.0, 1.0, 2.0, 3.0, 4.0]);
    Ok(())
}
