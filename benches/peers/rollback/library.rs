//! Through `ecs-core`.

use std::hint::black_box;
use std::time::Duration;

use ecs_core::{StateHash, Threads, World, world};

use super::{BACK, Change, ENTITIES, RING, time};

#[derive(Clone, Copy, StateHash)]
struct Position([f32; 3]);
#[derive(Clone, Copy, StateHash)]
struct Velocity([f32; 3]);
#[derive(Clone, Copy, StateHash)]
struct Health([u32; 3]);
#[derive(Clone, Copy, StateHash)]
struct Changing;

world! {
    world Game;
    component Position, Velocity, Health;
    component Changing: empty;
    system Change1 {
        with: [Changing],
        each: |position: &mut Position, velocity: &mut Velocity, health: &mut Health| {
            position.0[0] += 1.0;
            velocity.0[1] += 1.0;
            health.0[2] += 1;
        },
    }
}

/// Times of a save with a checksum, a save without, and a load.
pub(crate) fn times(threads: Threads, change: Change) -> [Duration; 3] {
    let mut world = World::<Game>::on(threads);
    let spawned = world.step(|step| {
        for n in 0..ENTITIES {
            let value = n as f32;
            let values = (Position([value; 3]), Velocity([1.0; 3]), Health([n as u32; 3]));
            if change.has(n) {
                let (position, velocity, health) = values;
                step.spawn((position, velocity, health, Changing));
            } else {
                step.spawn(values);
            }
        }
    });
    spawned.expect("nothing is staged");
    let mut ring: Vec<_> = (0..RING).map(|_| world.snapshot()).collect();
    let mut best = [Duration::MAX; 3];
    for has_checksum in [true, false] {
        for frame in 0..20 * RING {
            world.tick().expect("nothing is staged");
            let snapshot = &mut ring[frame % RING];
            time(&mut best[usize::from(!has_checksum)], || {
                if has_checksum {
                    black_box(world.state_hash());
                }
                world.snapshot_into(snapshot);
            });
            if frame % RING == RING - 1 {
                let old = &ring[(frame - BACK) % RING];
                time(&mut best[2], || world.restore(old).expect("the limit is dynamic"));
            }
        }
    }
    best
}
