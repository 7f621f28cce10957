//! What a rollback takes in: everything that is in a world. Each frame is computed again with the frames before it, and the
//! states are compared.

#[path = "../examples/tanks/game.rs"]
mod game;

use std::cell;

use ecs_core::random::Random;
use ecs_core::{Addressed, Combine, Entity, Mut, StateHash, World, world};
use ecs_rollback::{Builder, Input, Inputs, RollbackError, SyncTest};
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, Default, PartialEq, StateHash, Serialize, Deserialize)]
struct Keys(u8);
impl Input for Keys {}

#[derive(Clone, StateHash)]
struct Player(usize);
#[derive(Clone, StateHash)]
struct Age(u32);
#[derive(Clone, StateHash)]
struct Note(String);
#[derive(Clone, StateHash)]
struct Armed;

struct ChildOf;

#[derive(Clone, StateHash)]
struct Fell;
#[derive(Clone, StateHash)]
struct Late(u32);
#[derive(Clone, StateHash)]
struct Kept(u32);
#[derive(Clone, StateHash)]
struct Push(u32);

/// What the systems have seen: each of these depends on something that lies between two frames.
#[derive(Clone, Debug, Default, PartialEq, StateHash)]
struct Log {
    fell: u64,
    late: u64,
    kept: u64,
    pushed: u64,
    entered: u64,
    changed: u64,
    removed: u64,
    total: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, StateHash, Combine)]
struct Total(u64);

world! {
    world Everything { seed: 3 }

    component Player, Age;
    component Note: hash_map;
    component Armed: empty;
    resource Inputs<Keys>, Log;
    resource Total: sum;
    event Fell;
    event Late: delayed;
    event Kept: keep(3);
    event Push: addressed, delayed;
    relation ChildOf: one_to_many, on_despawn: despawn;
    state Mode { Calm, Storm }

    system Switch {
        set_state: [Mode],
        run: |effects, inputs: &Inputs<Keys>| {
            let storm = inputs.iter().any(|keys| keys.0 & 1 != 0);
            effects.set_state(if storm { Mode::Storm } else { Mode::Calm });
        },
    }
    system Enter { on_enter: Mode::Storm, run: |_, log: &mut Log| log.entered += 1 }
    system Order {
        random,
        link: [ChildOf],
        emit: [Push],
        spawn: [Age],
        each: |entity: Entity, player: &Player, effects, inputs: &Inputs<Keys>| {
            let keys = inputs[player.0].0;
            if keys & 2 != 0 {
                let child = effects.spawn_pending((Age(0),));
                effects.link::<ChildOf>(child, entity);
            }
            if keys & 4 != 0 {
                let push = effects.random(entity).range(1..9);
                effects.send(entity, Push(push));
            }
        },
    }
    system Grow {
        parallelism: split_every(64),
        without: [Player],
        despawn,
        random,
        emit: [Fell, Late, Kept],
        add: [Total],
        insert: [Armed, Note],
        remove: [Armed, Note],
        each: |entity: Entity, mut age: Mut<Age>, effects| {
            effects.add(Total(1));
            let die: u32 = effects.random(entity).range(0..100);
            match die {
                0..3 => effects.despawn(entity),
                3..6 => effects.insert(entity, Armed),
                6..9 => effects.remove::<Armed>(entity),
                9..12 => effects.insert(entity, Note(format!("{die}"))),
                12..15 => effects.remove::<Note>(entity),
                15..18 => effects.emit(Fell),
                18..21 => effects.emit(Late(die)),
                21..24 => effects.emit(Kept(die)),
                24..60 => age.0 += 1,
                _ => {}
            }
        },
    }
    system Receive {
        dependencies: [Grow],
        on: [Push],
        with: [Player],
        write: [Age],
        run: |data| data.for_messages::<Push>(|mut one, pushes, _| {
            one.age.0 += pushes.map(|push| push.0).sum::<u32>();
        }),
    }
    system Changes {
        dependencies: [Receive],
        read: [Age],
        changed: [Age],
        output: Vec<u64>,
        run: |data| {
            let count = data.own.changed::<Age, Entity>().count() as u64;
            data.effects.output().push(count);
        },
    }
    // It runs in each third frame, and finds what it has missed.
    system Write {
        every: 3,
        dependencies: [Enter],
        inputs: [Changes],
        on: [Fell, Late, Kept, Push],
        removed: [Note],
        relations: [ChildOf],
        write_resources: [Log],
        read_resources: [Total],
        run: |data| {
            let mut seen = data.resources.get_mut::<Log>().clone();
            seen.fell += data.effects.events::<Fell>().len() as u64;
            seen.late += data.effects.events::<Late>().map(|late| u64::from(late.0)).sum::<u64>();
            seen.kept += data.effects.events::<Kept>().map(|kept| u64::from(kept.0)).sum::<u64>();
            seen.pushed += data.effects.events::<Addressed<Push>>().map(|push| u64::from(push.message.0)).sum::<u64>();
            seen.removed += data.own.removed::<Note>().map(|(_, note)| note.0.len() as u64).sum::<u64>();
            seen.changed += data.effects.outputs_of::<Changes>().flatten().sum::<u64>();
            seen.total = data.resources.get::<Total>().0;
            *data.resources.get_mut::<Log>() = seen;
        },
    }
}

/// A world with two players, each with some children.
fn everything() -> World<Everything> {
    let mut world = World::<Everything>::new();
    world.spawn_batch([0, 1].map(|player| (Player(player), Age(0))));
    world.spawn_batch((0..200).map(|age| (Age(age),)));
    world
}

/// Keys that change every few frames.
fn keys(frame: u32, player: u64) -> Keys {
    Keys(Random::new(5, player).substream(frame / 3).range(0..8))
}

#[test]
fn all_that_is_in_a_world_goes_back() -> Result<(), RollbackError> {
    // What systems have seen without any rollback.
    let mut straight = everything();
    for frame in 0..200 {
        let inputs = [keys(frame, 0), keys(frame, 1)];
        straight.resource_mut::<Inputs<Keys>>().set(inputs);
        straight.tick().map_err(|error| RollbackError::Step { frame: 0, error })?;
    }
    let log = straight.resource::<Log>().clone();
    let Log { fell, late, kept, pushed, entered, changed, removed, total } = log.clone();
    let seen = [fell, late, kept, pushed, entered, changed, removed, total];
    assert!(seen.iter().all(|&count| count > 0), "{log:?} shows nothing of something");

    for distance in [2, 7, 20] {
        let mut test = Builder::new().local().local().sync_test(everything(), distance)?;
        for frame in 0..200 {
            test.advance([keys(frame, 0), keys(frame, 1)])?;
        }
        assert_eq!(test.world().resource::<Log>(), &log, "with {distance} frames");
        assert_eq!(test.world().state_hash(), straight.state_hash(), "with {distance} frames");
        assert!(test.steps() > 150 * distance as u64);
    }
    Ok(())
}

#[test]
fn the_tanks_can_be_rolled_back() -> Result<(), RollbackError> {
    let mut test: SyncTest<_, game::Keys> =
        Builder::new().local().local().local().sync_test(game::new(3, 300), 9)?;
    for frame in 0..300 {
        test.advance(
            (0..3).map(|player| {
                game::Keys(Random::new(1, player).substream(frame / 10).range(0..32))
            }),
        )?;
    }
    let hits: u32 = test.world().resource::<game::Score>().0.iter().sum();
    assert!(hits > 0, "nothing was hit");
    Ok(())
}

#[test]
fn a_fault_is_found_with_its_system() -> Result<(), RollbackError> {
    let mut world = game::new(2, 0);
    world.resource_mut::<game::Fault>().0 = true;
    let mut test: SyncTest<_, game::Keys> = Builder::new().local().local().sync_test(world, 7)?;
    let error = (0..500).find_map(|_| test.advance([game::Keys(0); 2]).err());
    let Some(RollbackError::NotDeterministic(divergence)) = error else { panic!("{error:?}") };
    assert_eq!(divergence.systems, ["Shake"], "{divergence}");
    let parts: Vec<_> = divergence.parts.iter().map(|part| part.part).collect();
    assert_eq!(parts, ["Position"], "{divergence}");
    assert!(divergence.parts[0].systems.contains(&"Shake"), "{divergence}");
    Ok(())
}

#[derive(Clone, StateHash)]
struct Cell;

world! {
    world Dish { entity_limit: fixed(3) }
    component Cell;
    resource Inputs<Keys>;
    system Divide {
        spawn: [Cell],
        each: |_: &Cell, effects, inputs: &Inputs<Keys>| {
            if inputs[0] == Keys(1) {
                effects.spawn((Cell,));
            }
        },
    }
}

#[test]
fn errors_of_steps_are_reported_and_the_test_goes_on() -> Result<(), RollbackError> {
    let mut world = World::<Dish>::new();
    world.spawn((Cell,)).expect("there is room");
    let mut test = Builder::new().local().sync_test(world, 3)?;
    let mut failed = Vec::new();
    for frame in 0..20 {
        let divide = [2, 5, 9].contains(&frame);
        if let Err(error) = test.advance([Keys(u8::from(divide))]) {
            assert!(matches!(error, RollbackError::Step { .. }), "{error}");
            failed.push(frame);
        }
    }
    // Three do not fit four times. Each error comes again while its frame is computed again.
    assert_eq!(failed, [5, 6, 7, 8, 9, 10, 11, 12]);
    assert_eq!(test.world().entity_count(), 3);
    Ok(())
}

#[test]
fn steps_of_the_programs_own_are_taken() -> Result<(), RollbackError> {
    let test: SyncTest<_, Keys> = Builder::new().local().sync_test(World::<Dish>::new(), 4)?;
    let mut test = test.with_step(|world| {
        world.step(|step| {
            let _ = step.spawn((Cell,));
            step.execute_systems();
        })
    });
    assert!(test.advance([Keys(0)]).is_ok());
    assert_eq!(test.world().entity_count(), 1);
    Ok(())
}

#[test]
fn state_outside_of_the_world_is_found() -> Result<(), RollbackError> {
    let test: SyncTest<_, Keys> = Builder::new().local().sync_test(World::<Dish>::new(), 4)?;
    let count = cell::Cell::new(0);
    let mut test = test.with_step(move |world| {
        count.set(count.get() + 1);
        if count.get() == 2 {
            world.spawn((Cell,)).expect("there is room");
        }
        world.tick()
    });
    let error = (0..20).find_map(|_| test.advance([Keys(0)]).err());
    let Some(RollbackError::NotDeterministic(divergence)) = error else { panic!("{error:?}") };
    assert_eq!((divergence.frame, divergence.systems.len()), (1, 0));
    Ok(())
}

#[test]
fn wrong_numbers_are_errors() {
    let start = |builder: Builder, distance| {
        let test: Result<SyncTest<_, Keys>, _> = builder.sync_test(World::<Dish>::new(), distance);
        test.map(|_| ()).unwrap_err()
    };
    assert_eq!(start(Builder::new(), 4), RollbackError::NoPlayers);
    let error = start(Builder::new().local(), 1);
    assert_eq!(error.to_string(), "the distance is 1, and must be from 2 to 59");
    let error = start(Builder::new().local().input_delay(61), 2);
    assert_eq!(error.to_string(), "the input delay is 61, and must be from 0 to 60");
    let mut test = Builder::new().local().sync_test(World::<Dish>::new(), 4).expect("it is right");
    let wrong = Err(RollbackError::WrongInputs { players: 1, given: 2 });
    assert_eq!(test.advance([Keys(0), Keys(0)]), wrong);
}
