//! A step chooses which systems run, and may replace the code of a system by a closure.
//!
//! The closure takes any data by capture. It has the rights of the system's signature, no more.
//!
//! Run it: `cargo run -p ecs-core --example 17_overrides`

use std::error::Error;
use std::sync::Mutex;

use ecs_core::{World, world};

struct Position(i32);
#[derive(Default)]
struct Input(i32);

world! {
    world Game;

    component Position;
    resource Input;

    system Think { run: |input: &mut Input| input.0 = 1 }
    system Move {
        dependencies: [Think],
        each: |position: &mut Position, input: &Input| position.0 += input.0,
    }
    // Its code comes with the step, which knows where to draw to.
    system Draw { read: [Position], dependencies: [Move], run: |_| {} }
}

/// Draws into a vector, with and without `Think`.
pub fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::<Game>::new();
    let player = world.spawn((Position(0),));

    let screen = Mutex::new(Vec::new());
    world.step(|step| {
        step.execute_with(|systems| {
            systems.for_subtasks::<Draw>(|_, data| {
                data.own.for_entities(|e| screen.lock().unwrap().push(e.position.0));
            })
        });
    })?;
    println!("drawn: {:?}", screen.lock().unwrap());
    assert_eq!(screen.into_inner()?, [1]);

    // A chain: `Move` and all that depends on it. `Think` does not run.
    world.resource_mut::<Input>().0 = 10;
    world.step(|step| step.execute_systems_from::<(Move,)>())?;
    let position = world.get::<Position>(player).map(|position| position.0);
    println!("at {position:?}");
    assert_eq!(position, Some(11));

    // `Think` and `Draw` alone: nothing moves.
    world.step(|step| step.execute_only::<(Think, Draw)>())?;
    assert_eq!(world.get::<Position>(player).map(|position| position.0), Some(11));
    Ok(())
}
