//! Desync: two machines should compute the same state, and do not. `desync` finds the step, the system, the entity and both values.
//!
//! Each machine sends the hashes of the parts of its state, 8 bytes for each. When they differ, `desync::find` repeats the
//! steps in two worlds side by side, and finds the system that makes the difference.
//!
//! Run it: `cargo run -p ecs-core --example 35_desync`

use std::error::Error;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use ecs_core::desync::{self, Culprit};
use ecs_core::{Entity, StateHash, StateHashes, SystemSelection, World, world};

#[derive(Clone, Debug, StateHash)]
struct Position(u32);
#[derive(Clone, Debug, StateHash)]
struct Heat(u32);

world! {
    world Race;

    component Position, Heat;

    system Drive { each: |position: &mut Position| position.0 += 2 }
    system Warm {
        dependencies: [Drive],
        insert: [Heat],
        each: |car: Entity, position: &Position, effects| if position.0 > 40 {
            effects.insert(car, Heat(weather()));
        },
    }
    system Cool { dependencies: [Warm], each: |heat: &mut Heat| heat.0 /= 2 }
}

/// The fault: a number of the program, not of the world. A clock would do the same.
fn weather() -> u32 {
    static ASKED: AtomicU32 = AtomicU32::new(0);
    ASKED.fetch_add(1, Relaxed)
}

/// A step that executes these systems. To find the one with the fault, `desync::find` repeats it with more and more of them.
fn step(world: &mut World<Race>, _number: usize, systems: &SystemSelection<Race>) {
    let selected = world.step(|step| step.execute_selected(systems)).expect("there is no limit");
    selected.expect("no system sends a stream");
}

/// The states of the machines differ after some steps.
pub fn main() -> Result<(), Box<dyn Error>> {
    let mut here = World::<Race>::new();
    here.spawn_batch([0, 10, 20].map(|at| (Position(at),)));
    let mut there = here.clone();
    let start = here.snapshot();

    for number in 0.. {
        here.tick()?;
        there.tick()?;
        let message: Vec<u64> = there.state_hashes().as_slice().to_vec();
        let theirs = StateHashes::from_slice(&message).ok_or("another version of the program")?;
        let differences = here.state_hashes().differences(&theirs);
        if let [first, ..] = &differences[..] {
            println!("step {number}: {first}");
            break;
        }
    }

    here.restore(&start)?;
    there.restore(&start)?;
    let found = desync::find(&mut here, &mut there, 100, step).ok_or("no difference")?;
    println!("{found}");
    assert_eq!((found.step, found.culprit), (Some(10), Culprit::System("Warm")));
    Ok(())
}
