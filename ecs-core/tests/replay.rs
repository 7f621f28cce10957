//! Recordings, which are played, verified, saved, compared, and damaged.

#![cfg(test)]

use ecs_core::replay::{Player, Recording, ReplayError, compare};
use ecs_core::{ChangedPart, LoadError, SaveFormat, StateHash, Threads, World, world};
use serde::{Deserialize, Serialize};

#[derive(Clone, Serialize, Deserialize, StateHash)]
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
                let mut second = World::<Numbers>::on(Threads::Inline);
                let step = |world: &mut World<_>, input: &_, _: &_| advance(world, input);
                let worlds = [&mut world, &mut second];
                let _ = compare(&SaveFormat::new(), [&forged, &loaded], worlds, step);
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
        expected.spawn_batch((0..stored).map(|n| (Number(n),)));
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

mod compared {
    //! Two recordings, of which one has a fault.

    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    use ecs_core::desync::Culprit;
    use ecs_core::replay::{CompareError, Divergence, compare_saves};
    use ecs_core::{Part, PartKind, SystemSelection};

    use super::*;

    #[derive(Clone, Debug, Serialize, Deserialize, StateHash)]
    pub(super) struct Position(pub(super) u64);
    #[derive(Clone, Debug, Default, Serialize, Deserialize, StateHash)]
    pub(super) struct Wind(u64);
    #[derive(Clone, Debug, Serialize, Deserialize, StateHash)]
    pub(super) struct Fuel(u64);

    /// No input: how often it was called, if the fault is on.
    static CALLS: AtomicU64 = AtomicU64::new(0);

    std::thread_local! {
        static FAULT: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
    }

    world! {
        pub(super) world Sky;
        component Position, Fuel;
        resource Wind;
        system Burn { each: |fuel: &mut Fuel| fuel.0 = fuel.0.wrapping_mul(3) + 1 }
        system Drift {
            dependencies: [Burn],
            each: |position: &mut Position, wind: &Wind| position.0 += wind.0 + fault(),
        }
        system Turn {
            dependencies: [Drift],
            each: |position: &mut Position| position.0 = position.0.rotate_left(1),
        }
    }

    /// What a system reads that is neither state nor input.
    fn fault() -> u64 {
        match FAULT.get() {
            0 => 0,
            u64::MAX => CALLS.fetch_add(1, Relaxed),
            once => {
                FAULT.set(0);
                once
            }
        }
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "inputs come by reference")]
    pub(super) fn step(world: &mut World<Sky>, wind: &u64, systems: &SystemSelection<Sky>) {
        world.resource_mut::<Wind>().0 = *wind;
        world.step(|step| step.execute_selected(systems)).unwrap().unwrap();
    }

    /// A run; `faulty` is a step that comes with a fault.
    fn record(winds: &[u64], every: u64, faulty: Option<(usize, u64)>) -> Recording<u64> {
        let mut world = World::<Sky>::on(Threads::Inline);
        world.spawn_batch((0..200).map(|n| (Position(n), Fuel(n))));
        let mut recording = Recording::start(&world, every).unwrap();
        let all = SystemSelection::of::<(Burn, Drift, Turn)>();
        for (number, wind) in winds.iter().enumerate() {
            let fault = faulty.filter(|faulty| faulty.0 == number);
            FAULT.set(fault.map_or(0, |fault| fault.1));
            step(&mut world, wind, &all);
            FAULT.set(0);
            recording.record(&world, *wind).unwrap();
        }
        recording
    }

    fn found<'r>(
        one: &'r Recording<u64>,
        other: &'r Recording<u64>,
    ) -> Option<Divergence<'r, u64>> {
        let mut worlds = [(); 2].map(|()| World::<Sky>::on(Threads::Inline));
        let [first, second] = &mut worlds;
        compare(&SaveFormat::new(), [one, other], [first, second], step).unwrap()
    }

    #[test]
    fn recordings_of_one_run_do_not_differ() {
        let winds = [3; 20];
        let one = record(&winds, 7, None);
        assert!(found(&one, &record(&winds, 4, None)).is_none());
        assert!(found(&one, &record(&winds[..9], 100, None)).is_none());
    }

    /// In any step, and with any states.
    #[test]
    fn a_changed_input_is_found() {
        for every in [[1, 1], [7, 7], [5, 3], [100, 100]] {
            for at in [0, 6, 7, 12, 19] {
                let (winds, mut changed) = ([3; 20], [3; 20]);
                changed[at] = 4;
                let recordings = [record(&winds, every[0], None), record(&changed, every[1], None)];
                let found = found(&recordings[0], &recordings[1]).unwrap();
                assert_eq!((found.step, found.after), (at as u64 + 1, at as u64 + 1));
                assert_eq!(found.inputs, Some((at as u64, [&3, &4])));
                assert_eq!(found.culprit, Culprit::BesideSystems);
                assert_eq!(found.reproduced, [true, true]);
                let difference = found.differences.iter().next().unwrap();
                assert_eq!(difference.part, Part::Resource("Wind"));
                assert_eq!([&difference.one, &difference.other], ["Wind(3)", "Wind(4)"]);
            }
        }
    }

    #[test]
    fn a_fault_that_this_program_has_not_is_found_in_the_states() {
        let winds = [3; 20];
        for (every, at, after) in [([1, 1], 5, 6), ([7, 7], 5, 7), ([7, 7], 6, 7), ([4, 6], 12, 18)]
        {
            let one = record(&winds, every[0], None);
            let other = record(&winds, every[1], Some((at, 1000)));
            for (recordings, reproduced) in
                [([&one, &other], [true, false]), ([&other, &one], [false, true])]
            {
                let found = found(recordings[0], recordings[1]).unwrap();
                let after = if recordings[0].steps() == 20 { after } else { 0 };
                assert_eq!((found.step, found.after), (at as u64 + 1, after), "{found}");
                assert_eq!((found.inputs, found.reproduced), (None, reproduced));
                assert_eq!(found.culprit, Culprit::Unknown(vec!["Drift", "Turn"]));
                let differences: Vec<_> = found.differences.iter().collect();
                assert_eq!(differences.len(), 1);
                assert_eq!(differences[0].part, Part::Component("Position"));
                assert_eq!((differences[0].row, differences[0].rows), (Some(0), 1));
                assert!(differences[0].entity.is_some());
                assert!(found.to_string().contains("this program reproduces the "), "{found}");
            }
        }
    }

    /// Each repetition shows the fault.
    #[test]
    fn a_system_that_reads_no_input_is_found_where_it_goes_on_doing_so() {
        let winds = [3; 20];
        let one = record(&winds, 7, None);
        let other = record(&winds, 7, Some((9, u64::MAX)));
        FAULT.set(u64::MAX);
        let found = found(&one, &other).unwrap();
        FAULT.set(0);
        assert_eq!(found.step, 10);
        assert_eq!(found.culprit, Culprit::System("Drift"));
        assert_eq!(found.reproduced, [false, false]);
        // The recorded values.
        assert_eq!(found.after, 14);
        let text = found.to_string();
        assert!(
            text.starts_with(
                "the recordings of `Sky` differ after 10 steps: the system `Drift` makes"
            ),
            "{text}"
        );
        assert!(text.contains("component `Position`"), "{text}");
    }

    #[test]
    fn a_difference_without_a_state_after_it_is_told_by_its_hashes() {
        let winds = [3; 5];
        let one = record(&winds, 100, None);
        let other = record(&winds, 100, Some((3, 1000)));
        let found = found(&one, &other).unwrap();
        assert_eq!((found.step, found.reproduced), (4, [true, false]));
        assert!(found.differences.is_empty());
        assert_eq!(found.hashes.map(Some), [&one, &other].map(|one| one.state_hash(4)));
    }

    fn refused<I: Serialize + std::fmt::Debug>(recordings: [&Recording<I>; 2]) -> CompareError {
        let mut worlds = [(); 2].map(|()| World::<Sky>::on(Threads::Inline));
        let [one, other] = &mut worlds;
        compare(&SaveFormat::new(), recordings, [one, other], |_, _, _| {}).unwrap_err()
    }

    #[test]
    fn what_cannot_be_compared_is_an_error() {
        let start = |seed, positions: u64| {
            let mut world = World::<Sky>::on(Threads::Inline);
            world.set_seed(seed);
            world.spawn_batch((0..positions).map(|n| (Position(n * positions),)));
            Recording::<Input>::start(&world, 1).unwrap()
        };
        let error = refused([&start(1, 3), &start(2, 4)]);
        assert!(matches!(error, CompareError::Seeds { seeds: [1, 2] }), "{error}");
        let error = refused([&start(1, 3), &start(1, 4)]);
        let CompareError::NoCommonStep { differences } = &error else { panic!("{error}") };
        assert_eq!(differences.iter().next().unwrap().part, Part::Entities);
        let error = refused([&start(1, 3), &run(3, 2)]);
        assert_eq!(
            error.to_string(),
            "the recordings are of different declarations: the component `Fuel` is in one only, or in another form \
             or version"
        );
        let begun = |number| {
            let mut world = World::<Numbers>::on(Threads::Inline);
            world.spawn((Number(number),));
            Recording::<Input>::start(&world, 1).unwrap()
        };
        let error = refused([&begun(1), &begun(2)]);
        let unknown = LoadError::Unknown { kind: PartKind::Component, name: "Number".into() };
        let CompareError::Load { which: 0, error } = error else { panic!("{error}") };
        assert_eq!(error.to_string(), unknown.to_string());
    }

    #[test]
    fn saves_are_compared() {
        let mut worlds = [(); 2].map(|()| World::<Sky>::on(Threads::Inline));
        let mut world = World::<Sky>::on(Threads::Inline);
        let all = world.spawn_batch((0..200).map(|n| (Position(n), Fuel(n))));
        let mut saves = [Vec::new(), Vec::new()];
        world.save(&mut saves[0]).unwrap();
        world.get_mut::<Fuel>(all[70]).unwrap().0 = 1;
        world.save(&mut saves[1]).unwrap();
        let [one, other] = &mut worlds;
        let mut compare =
            |saves: [&[u8]; 2]| compare_saves(&SaveFormat::new(), saves, [&mut *one, &mut *other]);
        assert!(compare([&saves[0], &saves[0]]).unwrap().is_empty());
        let differences = compare([&saves[0], &saves[1]]).unwrap();
        let difference = differences.iter().next().unwrap();
        assert_eq!((difference.part, difference.entity), (Part::Component("Fuel"), Some(all[70])));
        assert_eq!([&difference.one, &difference.other], ["Fuel(70)", "Fuel(1)"]);
        for which in 0..2 {
            let mut damaged: [&[u8]; 2] = [&saves[0], &saves[1]];
            damaged[which] = &damaged[which][..50];
            let error = compare(damaged).unwrap_err();
            assert!(
                matches!(error, CompareError::Load { which: at, .. } if at == which),
                "{error}"
            );
        }
    }
}
