//! A resource is one value that the world owns and systems share.
//!
//! Systems declare which resources they read and write. Between steps the program reaches them, too.
//!
//! Run it: `cargo run -p ecs-core --example 03_resources`

use std::error::Error;

use ecs_core::{World, world};

struct Height(f32);
struct Gravity(f32);
#[derive(Debug, Default, PartialEq)]
struct Lowest(Option<f32>);

world! {
    world Sky;

    component Height;

    // Made by an expression, or else by `Default`.
    resource Gravity = Gravity(2.0);
    resource Lowest;

    system Fall {
        write: [Height],
        read_resources: [Gravity],
        each: |stone, _, resources| stone.height.0 -= resources.get::<Gravity>().0,
    }
    // `each` is called with one entity at a time, `run` with all entities of a subtask. A system without
    // `parallelism` is one subtask.
    system Measure {
        read: [Height],
        write_resources: [Lowest],
        dependencies: [Fall],
        run: |data| {
            let heights = data.own.query::<&Height>().into_iter().map(|height| height.0);
            let lowest = heights.reduce(f32::min);
            data.resources.get_mut::<Lowest>().0 = lowest;
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
    Ok(())
}
