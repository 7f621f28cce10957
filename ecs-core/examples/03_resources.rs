//! A resource is one value that the world owns and systems share.
//!
//! Systems declare which resources they read and write. Between steps the program reaches them, too. Several subtasks, and
//! several systems at once, may add to a resource that is declared with an operation, such as `sum`.
//!
//! Run it: `cargo run -p ecs-core --example 03_resources`

use std::error::Error;

use ecs_core::{Combine, World, world};

struct Height(f32);
struct Gravity(f32);
#[derive(Debug, Default, PartialEq)]
struct Lowest(Option<f32>);
#[derive(Combine, Debug, Default, PartialEq)]
struct Low(u32);

world! {
    world Sky;

    component Height;

    // Made by an expression, or else by `Default`.
    resource Gravity = Gravity(2.0);
    resource Lowest;
    resource Low: sum;

    // A resource is a parameter, as a component is.
    system Fall { each: |height: &mut Height, gravity: &Gravity| height.0 -= gravity.0 }
    // `each` is called with one entity at a time, `run` with all entities of a subtask. A system without
    // `parallelism` is one subtask. Parameters without a type are its entities, and the effects.
    system Measure {
        read: [Height],
        dependencies: [Fall],
        run: |own, _, lowest: &mut Lowest| {
            let heights = own.query::<&Height>().into_iter().map(|height| height.0);
            lowest.0 = heights.reduce(f32::min);
        },
    }
    // The sum is the same for any number of subtasks. Systems that run after this one find it.
    system Count {
        add: [Low],
        dependencies: [Fall],
        parallelism: split_evenly(cores),
        each: |height: &Height, effects| {
            if height.0 < 10.0 {
                effects.add(Low(1));
            }
        },
    }
}

/// Three stones fall, the second time under less gravity.
pub fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::<Sky>::new();
    world.spawn_batch([30.0, 10.0, 20.0].map(|height| (Height(height),)));
    assert_eq!(world.resource::<Lowest>(), &Lowest(None));

    world.tick()?;
    println!("under gravity 2: {:?}", world.resource::<Lowest>());
    assert_eq!(world.resource::<Lowest>(), &Lowest(Some(8.0)));

    world.resource_mut::<Gravity>().0 = 0.5;
    world.tick()?;
    println!("under gravity 0.5: {:?}", world.resource::<Lowest>());
    assert_eq!(world.resource::<Lowest>(), &Lowest(Some(7.5)));
    println!("low stones, in both steps: {:?}", world.resource::<Low>());
    assert_eq!(world.resource::<Low>(), &Low(2));
    Ok(())
}
