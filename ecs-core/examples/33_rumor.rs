//! Events by key and by cell: a rumor is heard by those who stand near, and a call by those of a team.
//!
//! The index of an event says by what it is found. A reader finds, for each of its own entities, the events that are for it,
//! in the same order on any threads.
//!
//! Run it: `cargo run -p ecs-core --example 33_rumor`

use std::error::Error;

use ecs_core::{World, world};

struct At([f32; 2]);
struct Team(u8);
struct Knows(bool);

/// Told aloud, at a place.
struct Rumor {
    at: [f32; 2],
}

/// For all of a team, wherever they are.
struct Call {
    team: u8,
}

world! {
    world Crowd;

    component At, Team, Knows;
    // Those who are less than 2 away find it, and others in the cells around them.
    event Rumor: by_cell(|rumor: &Rumor| -> [f32; 2] { rumor.at }, 2.0);
    event Call: by_key(|call: &Call| -> u8 { call.team });

    system Tell {
        parallelism: split_evenly(cores),
        emit: [Rumor],
        each: |at: &At, knows: &Knows, effects| {
            if knows.0 {
                effects.emit(Rumor { at: at.0 });
            }
        },
    }
    system Hear {
        parallelism: split_evenly(cores),
        on: [Rumor],
        read: [At],
        write: [Knows],
        run: |data| data.for_events_by::<Rumor>(|one| one.at.0, |one, mut rumors, _| {
            let [x, y] = one.at.0;
            one.knows.0 |= rumors.any(|rumor| (rumor.at[0] - x).hypot(rumor.at[1] - y) < 2.0);
        }),
    }
    system Answer {
        parallelism: split_evenly(cores),
        dependencies: [Hear],
        on: [Call],
        read: [Team],
        write: [Knows],
        run: |data| data.for_events_by::<Call>(|one| one.team.0, |one, _, _| one.knows.0 = true),
    }
}

/// The rumor goes along a line, one neighbour per step, up to a gap that is too wide; then a team is called.
pub fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::<Crowd>::new();
    let line = [0.0, 1.5, 3.0, 4.5, 9.0, 10.0];
    world.spawn_batch(
        line.into_iter().enumerate().map(|(n, x)| (At([x, 0.0]), Team(n as u8 / 5), Knows(n == 0))),
    );
    let count = |world: &World<Crowd>| world.iter::<&Knows>().filter(|knows| knows.0).count();
    for step in 0..5 {
        println!("step {step}: {} know it", count(&world));
        assert_eq!(count(&world), [1, 2, 3, 4, 4][step]);
        world.tick()?;
    }
    world.emit(Call { team: 1 });
    world.tick()?;
    assert_eq!(count(&world), 5); // And the last one, the only one of team 1.
    Ok(())
}
