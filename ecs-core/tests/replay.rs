//! Recordings, which are played, verified, saved, and damaged.

#![cfg(test)]

use ecs_core::replay::{Player, Recording, ReplayError};
use ecs_core::{ChangedPart, LoadError, SaveFormat, StateHash, Threads, World, world};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, StateHash)]
struct Number(u64);

world! {
    world Numbers;
    component Number;
    system Grow { each: |number: &mut Number| number.0 = number.0.wrapping_mul(3) + 1 }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Input {
    Nothing,
    Spawn(u64),
    Clear,
}

fn advance(world: &mut World<Numbers>, input: &Input) {
    match *input {
        Input::Nothing => {}
        Input::Spawn(number) => drop(world.spawn((Number(number),))),
        Input::Clear => {
            let first = world.iter::<ecs_core::Entity>().next();
            let _ = first.map(|first| world.despawn(first));
        }
    }
    world.tick().expect("nothing is staged");
}

/// A recording of `steps` steps, with the hash after each.
fn run(steps: u64, every: u64) -> Recording<Input> {
    let mut world = World::<Numbers>::on(Threads::Inline);
    world.spawn((Number(7),));
    let mut recording = Recording::start(&world, every).unwrap();
    for n in 0..steps {
        let input = match n % 4 {
            0 => Input::Spawn(n),
            1 => Input::Clear,
            _ => Input::Nothing,
        };
        advance(&mut world, &input);
        recording.record(&world, input).unwrap();
    }
    recording
}

#[test]
fn any_step_is_reached_from_any_other() {
    let recording = run(50, 7);
    let mut world = World::<Numbers>::on(Threads::Inline);
    let mut player = Player::new(&recording);
    for n in 0..200_u64 {
        let step = n * 37 % 51;
        let mut steps = 0;
        let before = player.step();
        player
            .seek(&mut world, step, |world, input| {
                steps += 1;
                advance(world, input);
            })
            .unwrap();
        assert_eq!(Some(world.state_hash()), recording.state_hash(step));
        let from = before.filter(|at| *at <= step).map_or(u64::MAX, |at| step - at);
        assert_eq!(steps, from.min(step % 7), "from {before:?} to {step}");
    }
    assert!(matches!(
        player.seek(&mut world, 51, advance),
        Err(ReplayError::NoSuchStep { step: 51, steps: 50 })
    ));
}

#[test]
fn a_recording_is_loaded_as_it_was_saved() {
    for (steps, every) in [(0, 1), (1, 1), (9, 4), (30, 100)] {
        let recording = run(steps, every);
        let mut file = Vec::new();
        recording.save(&mut file).unwrap();
        let loaded = Recording::<Input>::load(&file).unwrap();
        assert_eq!(loaded.inputs(), recording.inputs());
        let hashes =
            |of: &Recording<Input>| (0..=steps).map(|n| of.state_hash(n)).collect::<Vec<_>>();
        assert_eq!(hashes(&loaded), hashes(&recording));
        let mut again = Vec::new();
        loaded.save(&mut again).unwrap();
        assert!(again == file);
        let mut world = World::<Numbers>::on(Threads::Inline);
        loaded.verify(&mut world, advance).unwrap();
        assert_eq!(Some(world.state_hash()), recording.state_hash(steps));
        for len in 0..file.len() {
            Recording::<Input>::load(&file[..len]).unwrap_err();
            let mut damaged = file.clone();
            damaged[len] ^= 1;
            Recording::<Input>::load(&damaged).unwrap_err();
            damaged[len] = damaged[len].wrapping_sub(1);
            let (all, hash) = damaged.split_last_chunk_mut().unwrap();
            *hash = xxhash_rust::xxh3::xxh3_64(all).to_le_bytes();
            if let Ok(forged) = Recording::<Input>::load(&damaged) {
                let _ = forged.verify(&mut world, advance);
                let _ = Player::new(&forged).seek(&mut world, forged.steps(), advance);
            }
        }
    }
    assert!(matches!(Recording::<Input>::load(b"ecsworld"), Err(LoadError::NotASave)));
}

#[test]
fn the_first_step_that_differs_is_named() {
    let recording = run(20, 8);
    let mut world = World::<Numbers>::on(Threads::Inline);
    let mut steps = 0;
    let error = recording.verify(&mut world, |world, input| {
        steps += 1;
        advance(world, if steps == 13 { &Input::Spawn(1) } else { input });
    });
    let Err(ReplayError::Differs { step, recorded, found }) = error else {
        panic!("{error:?}");
    };
    assert_eq!((step, Some(recorded)), (13, recording.state_hash(13)));
    assert_eq!(found, world.state_hash());
}

mod old {
    //! The numbers as they were.

    use super::*;

    #[derive(Serialize, Deserialize, StateHash)]
    pub(super) struct Num(pub(super) u8);

    world! { pub(super) world Numbers; component Num; }

    pub(super) fn recording() -> Recording<Input> {
        let mut world = World::<Numbers>::on(Threads::Inline);
        let mut recording = Recording::start(&world, 3).unwrap();
        for n in 0..7 {
            world.spawn((Num(n),));
            recording.record(&world, Input::Spawn(n.into())).unwrap();
        }
        recording
    }
}

/// The second version of the numbers.
fn format() -> SaveFormat<Numbers> {
    SaveFormat::new().component::<Number>(|number| {
        number.renamed_from("Num").version(2).migrate(1, |old::Num(number)| Number(number.into()))
    })
}

#[test]
fn a_recording_of_an_older_program_is_played_with_its_migrations() {
    let recording = old::recording();
    let mut world = World::<Numbers>::on(Threads::Inline);
    let mut player = Player::new(&recording);
    let unknown = player.seek(&mut world, 4, advance).unwrap_err();
    assert!(matches!(unknown, ReplayError::Load(LoadError::Unknown { .. })), "{unknown}");
    for step in [4, 7, 2] {
        player.seek_in(&format(), &mut world, step, advance).unwrap();
        // The state before, as it was then, and the steps as they are now.
        let mut expected = World::<Numbers>::on(Threads::Inline);
        let stored = step / 3 * 3;
        (0..stored).for_each(|n| drop(expected.spawn((Number(n),))));
        (stored..step).for_each(|n| advance(&mut expected, &Input::Spawn(n)));
        assert_eq!(world.state_hash(), expected.state_hash(), "{step}");
    }
}

#[test]
fn states_have_the_versions_of_their_format() {
    let mut world = World::<Numbers>::on(Threads::Inline);
    world.spawn((Number(7),));
    let mut recording = Recording::start_in(&format(), &world, 2).unwrap();
    for n in 0..5 {
        let input = Input::Spawn(n);
        advance(&mut world, &input);
        recording.record_in(&format(), &world, input).unwrap();
    }
    recording.verify_in(&format(), &mut world, advance).unwrap();
    for step in [0, 4] {
        let error = Player::new(&recording).seek(&mut world, step, advance).unwrap_err();
        let ReplayError::Load(LoadError::Changed { change, .. }) = error else { panic!("{error}") };
        assert_eq!(change, ChangedPart::Version { saved: 2, declared: 1 });
    }
    let error = recording.verify(&mut world, advance).unwrap_err();
    assert!(matches!(error, ReplayError::Load(_)), "{error}");
}
