//! Deltas between the saves of a world that goes on.

use std::time::{Duration, Instant};

use ecs_core::{Entity, StateHash, World, save, world};
use serde::{Deserialize, Serialize};

/// Plain old data.
#[derive(
    Clone, Copy, Debug, PartialEq, StateHash, bytemuck::NoUninit, bytemuck::CheckedBitPattern,
)]
#[repr(C)]
struct Position([f32; 3]);

/// By `serde`, of different lengths.
#[derive(Clone, Debug, PartialEq, StateHash, Serialize, Deserialize)]
struct Name(String);

#[derive(Clone, Debug, Default, PartialEq, StateHash, Serialize, Deserialize)]
struct Day(u32);

#[derive(Debug)]
struct PartOf;

world! {
    world Field;
    component Position, Name;
    resource Day;
    relation PartOf: one_to_many, on_despawn: despawn;
}

/// The most bytes that the delta of a change may have, and the change.
type Change = (usize, fn(&mut World<Field>, &mut Vec<Entity>));

fn saved(world: &World<Field>) -> Vec<u8> {
    let mut bytes = Vec::new();
    world.save(&mut bytes).expect("all can be saved");
    bytes
}

/// A host and a peer that joins: the peer has the same state after each step, and deltas are as large as what has changed.
#[test]
fn a_peer_follows_by_deltas() {
    let mut host = World::<Field>::new();
    let position = |n: usize| Position([n as f32, 0.5, -(n as f32)]);
    let mut all: Vec<Entity> =
        host.spawn_batch((0..10_000).map(|n| (position(n), Name(format!("number {n}")))));
    let mut base = saved(&host);
    let mut peer = World::<Field>::new();
    peer.load(&base).expect("it was saved");

    let changes: [Change; 6] = [
        (48, |_, _| {}),
        (60, |world, _| world.resource_mut::<Day>().0 += 1),
        // 12 bytes, and up to 4 for a step.
        (100 * 16 + 100, |world, all| {
            for &entity in all.iter().step_by(100) {
                let position = world.get_mut::<Position>(entity).expect("it has one");
                position.0 = position.0.map(|x| -1.5 - x);
            }
        }),
        // Values behind it lie elsewhere in the page.
        (400, |world, all| assert!(world.despawn(all.remove(4_500)))),
        (400, |world, all| all.push(world.spawn((Position([9.0; 3]), Name("the last".into()))))),
        (400, |world, all| world.link::<PartOf>(all[7], all[3]).expect("they are alive")),
    ];
    for (number, (most, change)) in changes.into_iter().enumerate() {
        change(&mut host, &mut all);
        let now = saved(&host);
        let delta = save::delta(&base, &now);
        assert!(delta.len() <= most, "change {number}: {} bytes", delta.len());
        let received = save::apply_delta(&base, &delta).expect("it is the delta of this base");
        assert!(received == now, "change {number}");
        peer.load(&received).expect("it was saved");
        assert_eq!(peer.state_hash(), host.state_hash(), "change {number}");
        base = now;
    }
}

#[test]
fn saves_of_other_shapes() {
    let mut large = World::<Field>::new();
    large.spawn_batch((0..9_000).map(|n| (Position([n as f32; 3]),)));
    let (large, empty) = (saved(&large), saved(&World::<Field>::new()));
    for (base, other) in [(&large, &empty), (&empty, &large), (&large, &large)] {
        let delta = save::delta(base, other);
        assert!(save::apply_delta(base, &delta).as_ref() == Ok(other));
        assert!(delta.len() < other.len() + 200);
    }
}

/// A save of any bytes: a part with a long name and many frames, which differ by the seed.
fn of_many_frames(seed: u8) -> Vec<u8> {
    let (name, frames) = (vec![b'n'; 400_000], 20_000_u32);
    let mut save = b"ecsworld".to_vec();
    save.extend([1, 0, 0, 0, 1]);
    save.extend(0_u64.to_le_bytes());
    save.push(4);
    save.extend((name.len() as u64).to_le_bytes());
    save.extend(name);
    save.extend([0; 13]);
    for frame in 0..frames {
        save.extend(9_u64.to_le_bytes());
        save.push(seed);
        save.extend(u64::from(frame).wrapping_mul(seed.into()).to_le_bytes());
    }
    save.extend(0_u64.to_le_bytes());
    save.push(0);
    save
}

/// It takes a tenth of a second. If each frame took as long as the name, it would take minutes.
#[test]
#[cfg_attr(miri, ignore = "slow")]
fn the_time_for_a_frame_does_not_depend_on_the_name() {
    let (base, save) = (of_many_frames(7), of_many_frames(13));
    let start = Instant::now();
    let delta = save::delta(&base, &save);
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    assert_eq!(save::apply_delta(&base, &delta), Ok(save));
}
