//! Deltas between the saves of a world that goes on.

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
