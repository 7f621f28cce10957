//! A system passes a list on to another system.
//!
//! Each subtask of `Find` fills an output of its own. `Report` names `Find` in `inputs`, runs after it, and reads
//! all outputs as one sequence, in the order of entities. How `Find` was split does not show.
//!
//! Run it: `cargo run -p ecs-core --example 07_outputs`

use std::error::Error;

use ecs_core::{Entity, World, world};

struct Temperature(u32);
#[derive(Default)]
struct Hottest(Vec<(Entity, u32)>);

world! {
    world Plant;

    component Temperature;
    resource Hottest;

    system Find {
        read: [Temperature],
        parallelism: split_every(64),
        output: Vec<(Entity, u32)>,
        each: |sensor, effects| {
            if sensor.temperature.0 > 95 {
                effects.output().push((sensor.entity, sensor.temperature.0));
            }
        },
    }
    system Report {
        inputs: [Find],
        write_resources: [Hottest],
        run: |data| {
            let found = data.effects.outputs_of::<Find>().flatten().copied();
            let hottest = &mut data.resources.get_mut::<Hottest>().0;
            hottest.clear();
            hottest.extend(found);
        },
    }
}

/// Finds the hot ones of 300 sensors, which are five subtasks.
pub fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::<Plant>::new();
    world.spawn_batch((0..300).map(|n| (Temperature(n % 98),)));
    world.tick()?;

    let hottest = &world.resource::<Hottest>().0;
    for (sensor, temperature) in hottest {
        println!("sensor {}: {temperature} degrees", sensor.index());
    }
    let found: Vec<u32> = hottest.iter().map(|(_, temperature)| *temperature).collect();
    assert_eq!(found, [96, 97, 96, 97, 96, 97]);
    assert!(hottest.is_sorted(), "not in the order of spawns");
    Ok(())
}
