//! Fixed steps in real time: input for each step, and drawing between two states.
//!
//! A world has no clock. The frames of a program take uneven times; `FixedTimestep` says how many steps are due. The
//! same inputs by number of step give the same bits, however long the frames were, so a replay needs no times.
//!
//! Run it: `cargo run -p ecs-core --example 20_time`

use std::error::Error;
use std::time::Duration;

use ecs_core::time::{FixedTimestep, Rate};
use ecs_core::{StateHash, World, world};

#[derive(Clone, Copy, StateHash)]
struct Height(f32);
/// The height before the latest step.
#[derive(Clone, Copy, StateHash)]
struct Before(f32);
#[derive(Clone, Copy, StateHash)]
struct Speed(f32);
#[derive(Clone, Default, StateHash)]
struct Thrust(f32);

world! {
    world Launch;

    component Height, Before, Speed;
    resource Thrust;

    system Fly {
        each: |height: &mut Height, before: &mut Before, speed: &mut Speed, thrust: &Thrust| {
            before.0 = height.0;
            speed.0 += (thrust.0 - 9.8) / 50.0;
            height.0 = (height.0 + speed.0 / 50.0).max(0.0);
        },
    }
}

/// The input of a step: what a replay records.
fn thrust(step: u64) -> f32 {
    if step < 40 { 25.0 } else { 4.0 }
}

/// Runs frames of these lengths, and returns the state after them.
fn run(frames: &[Duration]) -> Result<u64, Box<dyn Error>> {
    let mut world = World::<Launch>::new();
    let rocket = world.spawn((Height(0.0), Before(0.0), Speed(0.0)));
    let mut time = FixedTimestep::new(Rate::per_second(50)?, 10)?;
    for (frame, elapsed) in frames.iter().enumerate() {
        // In a game, `elapsed` is what its clock says since the last frame.
        let due = time.advance(*elapsed);
        let (steps, dropped) = (due.len(), due.dropped());
        for step in due {
            world.resource_mut::<Thrust>().0 = thrust(step);
            world.tick()?;
        }
        let before = world.get::<Before>(rocket).ok_or("it flies")?.0;
        let now = world.get::<Height>(rocket).ok_or("it flies")?.0;
        let drawn = before + (now - before) * time.alpha();
        if frame % 8 == 0 {
            println!("frame {frame:2}: {steps} steps, {dropped} dropped, drawn at {drawn:.3} m");
        }
        assert!(before.min(now) <= drawn && drawn <= before.max(now));
    }
    assert_eq!(time.steps(), 60);
    Ok(world.state_hash())
}

/// The same 60 steps in two programs with frames of other lengths.
pub fn main() -> Result<(), Box<dyn Error>> {
    let even = run(&[Duration::from_millis(25); 48])?;
    // The second frame takes three seconds. Ten steps of it are taken, and 140 are dropped.
    let mut uneven = vec![Duration::from_millis(10); 102];
    uneven[1] = Duration::from_secs(3);
    assert_eq!(run(&uneven)?, even);
    Ok(())
}
