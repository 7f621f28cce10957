//! Snapshots: a game guesses the input, and goes back when the true one arrives.
//!
//! A world whose parts are all `Clone` can be cloned, kept as a snapshot, and restored. After a restoration it goes
//! on bit by bit as before, handles of new entities included.
//!
//! Run it: `cargo run -p ecs-core --example 18_snapshots`

use std::error::Error;

use ecs_core::{Entity, StateHash, World, world};

#[derive(Clone, Debug, PartialEq, StateHash)]
struct Position(i64);
#[derive(Clone, Default, StateHash)]
struct Input(i64);

world! {
    world Race;

    component Position;
    resource Input;

    system Drive {
        despawn,
        spawn: [Position],
        each: |car: Entity, position: &mut Position, input: &Input, effects| {
            position.0 += input.0;
            if position.0 >= 10 {
                effects.despawn(car);
                effects.spawn((Position(0),));
            }
        },
    }
}

/// Takes one step with an input, and returns the hash of the state after it.
fn play(world: &mut World<Race>, input: i64) -> Result<u64, Box<dyn Error>> {
    world.resource_mut::<Input>().0 = input;
    world.tick()?;
    Ok(world.state_hash())
}

/// A machine that guesses ends in the state of a machine that knows.
pub fn main() -> Result<(), Box<dyn Error>> {
    let mut here = World::<Race>::new();
    here.spawn_batch([0, 3, 6].map(|at| (Position(at),)));
    let mut elsewhere = here.clone();

    // The same memory is used for each snapshot.
    let mut before = here.snapshot();
    for (guess, truth) in [(1, 1), (1, 5), (0, 2)] {
        here.snapshot_into(&mut before);
        let guessed = play(&mut here, guess)?;
        let expected = play(&mut elsewhere, truth)?;
        if guess == truth {
            println!("input {truth}: guessed right");
            assert_eq!(guessed, expected);
            continue;
        }
        println!("input {truth}: guessed {guess}, go back");
        assert_ne!(guessed, expected);
        here.restore(&before)?;
        assert_eq!(play(&mut here, truth)?, expected);
    }
    Ok(())
}
