//! Components come and go while the world runs.
//!
//! Systems see them in the next step, or, with `refresh_before_dependents`, after a refresh in mid-step.
//!
//! Run it: `cargo run -p ecs-core --example 09_insert_and_remove`

use std::error::Error;

use ecs_core::{World, world};

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
        read: [Heat],
        without: [Burning],
        insert: [Burning],
        each: |house, effects| {
            if house.heat.0 >= 100 {
                effects.insert(house.entity, Burning(2));
            }
        },
    }
    system Scream {
        read: [Burning],
        write_resources: [Screams],
        dependencies: [Ignite],
        run: |data| {
            let burning = data.own.all_entity_count();
            data.resources.get_mut::<Screams>().0 += burning as u32;
        },
    }
    system Quench {
        write: [Burning, Heat],
        remove: [Burning],
        dependencies: [Scream],
        each: |house, effects| {
            house.burning.0 -= 1;
            house.heat.0 -= 50;
            if house.burning.0 == 0 {
                effects.remove::<Burning>(house.entity);
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
