//! Sessions of several peers in one process, over a network that loses, doubles and reorders packets.

#[path = "../../examples/tanks/game.rs"]
mod game;
mod net;

use std::cell::Cell;
use std::time::{Duration, Instant};

use ecs_core::random::Random;
use ecs_core::{StepError, World};
use ecs_rollback::{
    Builder, Cause, Divergence, Event, Inputs, Progress, Replay, RollbackError, Session, Spectator,
    Status,
};
use game::{Bonus, Drone, Fault, Keys, Score, Tanks};
use net::Net;

type Machine = Session<Tanks, Keys, u8>;

/// No test takes so long, unless it hangs.
const LIMIT: Duration = Duration::from_secs(100);

/// The machines of some players, each of them on its own.
fn machines(
    net: &Net,
    players: u8,
    drones: usize,
    faulty: Option<u8>,
    set: impl Fn(Builder<u8>) -> Builder<u8>,
) -> Result<Vec<Machine>, RollbackError> {
    (0..players)
        .map(|me| {
            let mut builder = set(Builder::default().disconnect_after(LIMIT).notify_after(LIMIT));
            for player in 0..players {
                builder = if player == me { builder.local() } else { builder.remote(player) };
            }
            let mut world = game::new(players.into(), drones);
            world.resource_mut::<Fault>().0 = faulty == Some(me);
            builder.start(world, net.plug(me))
        })
        .collect()
}

/// What a player holds: other keys every seven frames.
fn keys(player: usize, frame: i32) -> Keys {
    Keys(Random::new(27, player as u64).substream(frame as u32 / 7).range(0..32))
}

/// Advances all machines until all have agreed on a frame, or `until` says so. Returns what has happened, with the number of
/// the machine.
fn play(
    net: &Net,
    machines: &mut [Machine],
    until: impl Fn(&[Machine]) -> bool,
) -> Result<Vec<(usize, Event<u8>)>, RollbackError> {
    let start = Instant::now();
    let mut events = Vec::new();
    while !until(machines) {
        assert!(start.elapsed() < LIMIT, "it hangs at {:?}", frames(machines));
        for (player, machine) in machines.iter_mut().enumerate() {
            let keys = keys(player, machine.frame());
            let _ = machine.advance([keys])?;
            events.extend(machine.events().map(|event| (player, event)));
        }
        net.pass();
    }
    Ok(events)
}

fn frames(machines: &[Machine]) -> Vec<(i32, i32, Option<i32>)> {
    machines.iter().map(|it| (it.frame(), it.confirmed_frame(), it.agreed_frame())).collect()
}

/// Whether all machines have compared a frame with all others, and found the same.
fn have_agreed(frame: i32) -> impl Fn(&[Machine]) -> bool {
    move |machines| machines.iter().all(|it| it.agreed_frame().is_some_and(|it| it >= frame))
}

/// The state that the game has after `frames` frames, with inputs that come `delay` frames later.
fn expected(players: usize, drones: usize, frames: i32, delay: i32) -> u64 {
    let mut world = game::new(players, drones);
    world.resource_mut::<Inputs<Keys>>().set(vec![Keys(0); players]);
    for frame in 0..frames {
        let input = |player| match frame - delay {
            0.. => keys(player, frame - delay),
            _ => Keys(0),
        };
        world.resource_mut::<Inputs<Keys>>().set((0..players).map(input));
        world.tick().expect("the game has no limit");
    }
    world.state_hash()
}

#[test]
fn peers_agree_whatever_the_network_does() -> Result<(), RollbackError> {
    for (players, delay, trouble, input_delay, prediction) in
        [(2, 0, 0, 0, 8), (2, 3, 20, 0, 8), (3, 5, 15, 2, 12), (4, 2, 30, 1, 6)]
    {
        let net = Net::new(u64::from(trouble), delay, trouble);
        let set = |builder: Builder<u8>| builder.prediction(prediction).input_delay(input_delay);
        let mut machines = machines(&net, players, 10, None, set)?;
        // How many steps are done again until then depends on when messages come, by the clock.
        let again = |it: &Machine| it.steps() as i64 - i64::from(it.frame());
        let events = play(&net, &mut machines, |machines| {
            let have_gone_back = delay == 0 || machines.iter().all(|it| again(it) > 20);
            have_gone_back && have_agreed(128)(machines)
        })?;
        let case = format!("{players} players, {delay} rounds, {trouble} %");
        let desync = events.iter().find(|(_, event)| matches!(event, Event::DesyncDetected(_)));
        assert!(desync.is_none(), "{case}: {desync:?}");
        let expected = expected(players.into(), 10, 128, input_delay as i32);
        for machine in &machines {
            assert_eq!(machine.final_hash(128), Some(expected), "{case}");
            assert!(!machine.is_desynced());
            let again = again(machine);
            assert!(again > 20 || delay == 0, "{case}: {again} steps were done again");
        }
    }
    Ok(())
}

#[test]
fn lockstep_moves_thousands_without_going_back() -> Result<(), RollbackError> {
    let net = Net::new(4, 3, 15);
    let mut machines = machines(&net, 3, 3_000, None, |builder| builder.lockstep().input_delay(8))?;
    let drones = machines[0].world().iter::<&Drone>().count();
    assert_eq!(drones, 3_000);
    let events = play(&net, &mut machines, have_agreed(96))?;
    assert!(!events.iter().any(|(_, event)| matches!(event, Event::DesyncDetected(_))));
    let expected = expected(3, 3_000, 96, 8);
    for machine in &machines {
        assert_eq!(machine.final_hash(96), Some(expected));
        assert_eq!(machine.steps(), machine.frame() as u64, "nothing is computed again");
        assert_eq!(machine.status(1), Some(Status::Confirmed));
    }
    Ok(())
}

/// The report of each machine, about another one.
fn desyncs(events: &[(usize, Event<u8>)], machine: usize) -> Vec<&ecs_rollback::Desync<u8>> {
    let of_machine = events.iter().filter(|(number, _)| *number == machine);
    of_machine
        .filter_map(|(_, event)| match event {
            Event::DesyncDetected(desync) => Some(&**desync),
            _ => None,
        })
        .collect()
}

/// What each machine has found together with another one.
fn located(events: &[(usize, Event<u8>)], machine: usize) -> Vec<(u8, Cause, &Divergence)> {
    let of_machine = events.iter().filter(|(number, _)| *number == machine);
    of_machine
        .filter_map(|(_, event)| match event {
            Event::DesyncLocated { peer, cause, divergence } => Some((*peer, *cause, divergence)),
            _ => None,
        })
        .collect()
}

/// Lets rounds pass.
fn play_on(
    net: &Net,
    machines: &mut [Machine],
    rounds: u32,
) -> Result<Vec<(usize, Event<u8>)>, RollbackError> {
    let left = Cell::new(rounds);
    play(net, machines, |_| left.replace(left.get().saturating_sub(1)) == 0)
}

/// A machine that reads a clock is named by itself, and known to the others.
fn find_a_clock(set: impl Fn(Builder<u8>) -> Builder<u8>) -> Result<(), RollbackError> {
    let net = Net::new(6, 2, 10);
    let mut machines = machines(&net, 3, 0, Some(1), set)?;
    let mut events = play(&net, &mut machines, |all| all.iter().all(Session::is_desynced))?;
    events.extend(play_on(&net, &mut machines, 60)?);
    for player in [0, 2] {
        let located = located(&events, player);
        assert_eq!(located.len(), 1, "{located:?}");
        let (peer, cause, divergence) = located[0];
        assert_eq!((peer, cause), (1, Cause::Peer), "{divergence}");
        assert_eq!(divergence.systems, ["Shake"], "{divergence}");
        assert_eq!(divergence.parts[0].part, "Position", "{divergence}");
        let found = desyncs(&events, player);
        assert_eq!(found.len(), 1, "only one other machine differs: {found:?}");
        let desync = found[0];
        assert_eq!(desync.peer, 1);
        assert!(desync.same_program);
        assert_eq!(desync.parts[0].part, "Position", "{desync}");
        assert!(matches!(desync.replay, Replay::Same { .. }), "{desync}");
    }
    assert!(located(&events, 1).is_empty(), "the machine knows it by itself");
    let found = desyncs(&events, 1);
    assert!(!found.is_empty());
    let Replay::Differs(divergence) = &found[0].replay else { panic!("{}", found[0]) };
    assert_eq!(divergence.systems, ["Shake"], "{}", found[0]);
    assert_eq!(divergence.parts[0].part, "Position", "{}", found[0]);
    let text = found[0].to_string();
    assert!(text.contains("the cause is on this machine: the system `Shake` gives"), "{text}");
    Ok(())
}

#[test]
fn a_clock_is_found_with_rollback() -> Result<(), RollbackError> {
    find_a_clock(|builder| builder.compare_every(4))
}

#[test]
fn a_clock_is_found_in_lockstep() -> Result<(), RollbackError> {
    find_a_clock(|builder| builder.compare_every(4).lockstep().input_delay(4))
}

/// The hits so far.
fn hits(world: &World<Tanks>) -> u32 {
    world.resource::<Score>().0.iter().sum()
}

/// The frame of the first hit.
fn first_hit() -> i32 {
    let mut world = game::new(2, 0);
    let first = (0..10_000).find(|&frame| {
        world.resource_mut::<Inputs<Keys>>().set([0, 1].map(|player| keys(player, frame)));
        world.tick().expect("the game has no limit");
        hits(&world) > 0
    });
    first.expect("there is a hit")
}

/// A step of a machine that computes otherwise, always in the same way: it counts the first hit twice.
fn other_step(world: &mut World<Tanks>) -> Result<(), StepError> {
    world.tick()?;
    if hits(world) == 1 {
        world.resource_mut::<Score>().0[0] += 1;
    }
    Ok(())
}

#[test]
fn a_difference_between_machines_is_none_of_the_program() -> Result<(), RollbackError> {
    let first = first_hit();
    for interval in [1, 16] {
        let net = Net::new(2, 1, 5);
        let mut two = machines(&net, 2, 0, None, |builder| builder.compare_every(interval))?;
        // Both have a step of their own, so that they count as the same program.
        let other = two.pop().expect("there are two").with_step(other_step);
        let one = two.pop().expect("there are two").with_step(World::tick);
        let mut two = vec![one, other];
        let mut events = play(&net, &mut two, |all| all.iter().all(Session::is_desynced))?;
        events.extend(play_on(&net, &mut two, 60)?);
        for machine in [0, 1] {
            let desync = desyncs(&events, machine)[0];
            let agreed = desync.agreed.expect("they were the same at first");
            assert!(agreed <= first && first < desync.frame, "{desync}");
            let parts: Vec<_> = desync.parts.iter().map(|part| part.part).collect();
            assert_eq!(parts, ["Score"], "{desync}");
            assert_eq!(desync.parts[0].systems, ["Count"], "{desync}");
            assert!(matches!(desync.replay, Replay::Same { .. }), "{desync}");
            let located = located(&events, machine);
            let (peer, cause, divergence) = located[0];
            assert_eq!((usize::from(peer), cause), (1 - machine, Cause::Machines));
            assert_eq!((divergence.after, divergence.frame), (first, first), "{divergence}");
            assert_eq!(divergence.parts, desync.parts, "{divergence}");
        }
    }
    Ok(())
}

#[test]
fn a_system_that_differs_between_machines_is_found() -> Result<(), RollbackError> {
    let net = Net::new(9, 3, 20);
    let mut two = machines(&net, 2, 0, None, |builder| builder.compare_every(32))?;
    // A file, say, that says something else on this machine.
    let builder = Builder::default().remote(0).local().compare_every(32).disconnect_after(LIMIT);
    let mut world = game::new(2, 0);
    world.resource_mut::<Bonus>().0 = 2;
    two[1] = builder.start(world, net.plug(1))?;
    let mut events = play(&net, &mut two, |all| all.iter().all(Session::is_desynced))?;
    events.extend(play_on(&net, &mut two, 200)?);
    let first = first_hit();
    for machine in [0, 1] {
        let located = located(&events, machine);
        assert_eq!(located.len(), 1, "{:?}", desyncs(&events, machine));
        let (_, cause, divergence) = located[0];
        assert_eq!((cause, divergence.after, divergence.frame), (Cause::Machines, first, first));
        assert_eq!(divergence.systems, ["Count"], "{divergence}");
        assert_eq!(divergence.parts[0].part, "Score", "{divergence}");
    }
    Ok(())
}

#[test]
fn forged_packets_do_not_panic() {
    for seed in 0..4 {
        let net = Net::new(seed, 1, 5);
        let mut two = machines(&net, 3, 0, None, |builder| builder).expect("the numbers are right");
        let events = play(&net, &mut two, have_agreed(16));
        assert!(events.is_ok(), "{events:?}");
        net.forge(30);
        for round in 0..300 {
            for (player, machine) in two.iter_mut().enumerate() {
                let _ = machine.advance([keys(player, round)]);
            }
            net.pass();
        }
    }
}

#[test]
fn two_players_on_each_of_two_machines() -> Result<(), RollbackError> {
    let net = Net::new(11, 2, 15);
    let builder = || Builder::default().disconnect_after(LIMIT).compare_every(8);
    let start = |builder: Builder<u8>, me| -> Result<Machine, RollbackError> {
        builder.start(game::new(4, 0), net.plug(me))
    };
    // The players 0 and 3 are on the first machine.
    let mut two = vec![
        start(builder().local().remote(1).remote(1).local(), 0)?,
        start(builder().remote(0).local().local().remote(0), 1)?,
    ];
    let wrong = RollbackError::WrongInputs { players: 2, given: 1 };
    assert_eq!(two[0].advance([Keys(0)]), Err(wrong));
    let start = Instant::now();
    while !have_agreed(80)(&two) {
        assert!(start.elapsed() < LIMIT, "it hangs at {:?}", frames(&two));
        for (machine, players) in two.iter_mut().zip([[0, 3], [1, 2]]) {
            let frame = machine.frame();
            let _ = machine.advance(players.map(|player| keys(player, frame)))?;
        }
        net.pass();
    }
    assert!(two.iter().all(|machine| machine.final_hash(80) == Some(expected(4, 0, 80, 0))));
    Ok(())
}

#[test]
fn the_delay_can_change_and_players_can_be_disconnected() -> Result<(), RollbackError> {
    let net = Net::new(3, 1, 0);
    let mut two = machines(&net, 2, 0, None, |builder| builder.compare_every(8))?;
    play(&net, &mut two, have_agreed(16))?;
    two[0].set_input_delay(5)?;
    let goal = two[0].frame() + 32;
    play(&net, &mut two, have_agreed(goal))?;
    two[1].set_input_delay(3)?;
    two[0].set_input_delay(0)?;
    let goal = two[0].frame() + 32;
    play(&net, &mut two, have_agreed(goal))?;
    assert!(!two[0].is_desynced());
    let error = two[0].set_input_delay(61).unwrap_err();
    assert_eq!(error.to_string(), "the input delay is 61, and must be from 0 to 60");
    assert!(matches!(two[0].disconnect(0), Err(RollbackError::Ggrs(_))), "it is local");
    two[0].disconnect(1)?;
    let frame = two[0].frame();
    for _ in 0..20 {
        let _ = two[0].advance([Keys(0)])?;
    }
    assert_eq!((two[0].frame(), two[0].status(1)), (frame + 20, Some(Status::Disconnected)));
    let world = two.swap_remove(0).into_world();
    assert!(!world.resource::<Inputs<Keys>>().is_connected(1));
    Ok(())
}

#[test]
fn other_programs_are_told_from_wrong_ones() -> Result<(), RollbackError> {
    let net = Net::new(2, 1, 5);
    let mut two = machines(&net, 2, 0, None, |builder| builder.compare_every(4))?;
    let other = Builder::default().remote(0).local().compare_every(4).disconnect_after(LIMIT);
    two[1] = other.start(game::new(2, 5), net.plug(1))?.with_parts(|_, parts| {
        parts.push(("Only this", 0));
    });
    let events = play(&net, &mut two, |all| all.iter().all(Session::is_desynced))?;
    let found = desyncs(&events, 0);
    assert!(!found[0].same_program && found[0].parts.is_empty());
    assert_eq!(found[0].replay, Replay::Impossible);
    assert!(found[0].to_string().contains("another version of the program"), "{}", found[0]);
    Ok(())
}

#[test]
fn a_player_who_leaves_has_left_in_one_frame() -> Result<(), RollbackError> {
    let net = Net::new(5, 2, 0);
    let leave = Duration::from_millis(300);
    let mut three = machines(&net, 3, 0, None, |builder| builder.disconnect_after(leave))?;
    play(&net, &mut three, have_agreed(32))?;
    net.unplug(2);
    three.pop();
    let left = |machine: &Machine| !machine.world().resource::<Inputs<Keys>>().is_connected(2);
    let mut events = play(&net, &mut three, |all| all.iter().all(left))?;
    let goal = three[0].frame() + 64;
    events.extend(play(&net, &mut three, have_agreed(goal))?);
    for player in [0, 1] {
        assert!(events.contains(&(player, Event::Disconnected { peer: 2 })), "{events:?}");
        assert_eq!(three[player].status(2), Some(Status::Disconnected));
        assert_eq!(three[player].status(9), None);
    }
    assert!(
        !events.iter().any(|(_, event)| matches!(event, Event::DesyncDetected(_))),
        "{events:?}"
    );
    Ok(())
}

#[test]
fn peers_who_heard_different_things_of_one_who_has_left_do_not_panic() -> Result<(), RollbackError>
{
    let net = Net::new(5, 2, 0);
    let leave = Duration::from_millis(300);
    let mut three = machines(&net, 3, 0, None, |builder| builder.disconnect_after(leave))?;
    play(&net, &mut three, have_agreed(32))?;
    // One of the others hears the last frames, and the other one does not.
    net.cut(2, 1);
    let goal = three[2].frame() + 6;
    play(&net, &mut three, |all| all[2].frame() >= goal)?;
    net.unplug(2);
    three.pop();
    let error = play(&net, &mut three, |_| false).expect_err("there is no frame that both have");
    assert!(matches!(&error, RollbackError::Unrecoverable { .. }), "{error}");
    assert!(error.to_string().contains("the session is over"), "{error}");
    // It stays so.
    let over = three.iter_mut().any(|it| it.advance([Keys(0)]) == Err(error.clone()));
    assert!(over);
    Ok(())
}

#[test]
fn spectators_follow() -> Result<(), RollbackError> {
    let net = Net::new(7, 2, 5);
    let host = Builder::default().local().remote(1).spectator(9).disconnect_after(LIMIT);
    let other = Builder::default().remote(0).local().disconnect_after(LIMIT);
    let start = |builder: Builder<u8>, me| -> Result<Machine, RollbackError> {
        builder.start(game::new(2, 0), net.plug(me))
    };
    let mut two = vec![start(host, 0)?, start(other, 1)?];
    let watch = Builder::default().local().local().disconnect_after(LIMIT);
    let watcher: Spectator<_, Keys, u8> = watch.watch(0, game::new(2, 0), net.plug(9))?;
    let mut watcher = watcher;
    let begun = Instant::now();
    while watcher.agreed_frame().is_none_or(|frame| frame < 96) {
        assert!(begun.elapsed() < LIMIT, "{:?} {:?}", frames(&two), watcher.frame());
        for (player, machine) in two.iter_mut().enumerate() {
            // A spectator has no more than a second of inputs.
            if machine.frame() < watcher.frame() + 30 {
                let _ = machine.advance([keys(player, machine.frame())])?;
            } else {
                machine.poll();
            }
        }
        let _ = watcher.advance()?;
        let desync = watcher.events().find(|event| matches!(event, Event::DesyncDetected(_)));
        assert_eq!(desync, None);
        net.pass();
    }
    Ok(())
}

#[test]
fn a_session_alone_never_waits() -> Result<(), RollbackError> {
    let net = Net::new(0, 0, 0);
    let builder = Builder::default().local().local().compare_every(8);
    let mut alone: Machine = builder.start(game::new(2, 0), net.plug(0))?;
    for frame in 0..100 {
        assert_eq!(alone.frame(), frame);
        assert_eq!(alone.advance([keys(0, frame), keys(1, frame)])?, Progress::Advanced);
    }
    assert_eq!(alone.world().state_hash(), expected(2, 0, 100, 0));
    assert_eq!((alone.steps(), alone.agreed_frame()), (100, None));
    assert!(alone.world().resource::<Score>().0.iter().sum::<u32>() < 100);
    Ok(())
}
