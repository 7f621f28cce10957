//! Components come and go while the world runs.
//!
//! Systems see them in the next step, or, with `refresh_before_dependents`, after a refresh in mid-step.
//!
//! Run it: `cargo run -p ecs-core --example 09_insert_and_remove`

use std::error::Error;

use ecs_core::{Entity, World, world};

struct Heat(u32);
struct Burning(u32);
#[derive(Default)]
struct Screams(u32);

world! {
    world Village { staged_changes: refresh_before_dependents }

    component Heat;
    component Burning: sparse_set;
    resource Screams;

    system Ignite {
        without: [Burning],
        insert: [Burning],
        each: |house: Entity, heat: &Heat, effects| {
            if heat.0 >= 100 {
                effects.insert(house, Burning(2));
            }
        },
    }
    system Scream {
        dependencies: [Ignite],
        each: |_: &Burning, screams: &mut Screams| screams.0 += 1,
    }
    system Quench {
        remove: [Burning],
        dependencies: [Scream],
        each: |house: Entity, burning: &mut Burning, heat: &mut Heat, effects| {
            burning.0 -= 1;
            heat.0 -= 50;
            if burning.0 == 0 {
                effects.remove::<Burning>(house);
            }
        },
    }
}

/// One house of two burns for two steps.
pub fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::<Village>::new();
    let [cold, hot] = [20, 100].map(|heat| world.spawn((Heat(heat),)));
    for (step, burns) in [(1, true), (2, false), (3, false)] {
        world.tick()?;
        println!("after step {step}: burning {burns}, {} screams", world.resource::<Screams>().0);
        assert_eq!(world.get::<Burning>(hot).is_some(), burns);
    }
    assert_eq!(world.resource::<Screams>().0, 2);
    assert!(world.get::<Burning>(cold).is_none());
    Ok(())
}
