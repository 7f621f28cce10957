//! Clones, snapshots and restored worlds continue exactly like the originals, and the state hash detects
//! differences.

mod keep;
mod many;
mod panics;
mod parts;
mod program;

use std::panic::{AssertUnwindSafe, catch_unwind};

use ecs_core::settings::{AtomicCounter, Config, Disallow, Dynamic, Fixed, Sequential, Settings};
use ecs_core::{Declaration, Entity, Snapshot, Step, Threads, World};
use proptest::prelude::*;

use crate::support::{fail, mix, pools};
use program::{Body, Calm, Mark, Name, Program};

/// All entities, in the order of iteration.
fn entities<D: Declaration, S: Settings>(world: &World<D, S>) -> Vec<Entity> {
    let mut all = Vec::new();
    for entity in world.iter::<Entity>() {
        all.push(entity);
    }
    all
}

/// Applies a random action to an entity.
fn act<P: Program, S: Settings>(step: &mut Step<'_, P, S>, all: &[Entity], dice: u64) {
    let value = mix(dice ^ 1);
    if all.is_empty() || dice % 16 < 4 {
        let spawned = match value % 4 {
            0 => step.spawn((Body(value), Name(value.to_string()), Mark(3))),
            1 => step.spawn((Name(value.to_string()), Body(value))),
            2 => step.spawn((Calm, Mark(value as u8))),
            _ => step.spawn(()),
        };
        if value % 8 < 4 {
            P::subscribe(step, spawned);
        }
        return;
    }
    let one = all[value as usize % all.len()];
    let name = || Name(value.to_string());
    match dice % 16 {
        4..=6 => step.despawn(one),
        7 | 8 => P::subscribe(step, one),
        9 => drop(step.insert(one, Body(value))),
        10 => drop(step.insert(one, name())),
        11 => drop(step.insert(one, Mark(9))),
        12 => drop(step.insert(one, Calm)),
        13 => drop(step.remove::<Name>(one)),
        14 => drop(step.remove::<Body>(one)),
        _ => drop(step.remove::<Calm>(one)),
    }
}

/// Takes a step that depends on `seed` and the world only.
fn advance<P: Program, S: Settings>(world: &mut World<P, S>, seed: u64) {
    let all = entities(world);
    let step = |step: &mut Step<'_, P, S>| {
        let actions = if seed.is_multiple_of(5) { 300 } else { seed % 9 };
        (0..actions).for_each(|n| act(step, &all, mix(seed ^ n << 8)));
        match seed % 7 {
            0 => {}
            1 => P::look(step),
            2 => {
                step.execute_systems();
                fail("in the end");
            }
            _ => step.execute_systems(),
        }
    };
    let _ = catch_unwind(AssertUnwindSafe(|| world.step(step).unwrap()));
}

/// An operation on the world between two steps.
#[derive(Clone, Copy, Debug)]
enum Between {
    Nothing,
    /// A clone replaces the world.
    Clone,
    Snapshot,
    /// The world is restored from the last snapshot, and repeats the steps since then.
    Replay,
    /// A new world is restored from a snapshot and replaces the old one.
    HandOver,
}

fn between() -> impl Strategy<Value = Between> {
    prop_oneof![
        3 => Just(Between::Nothing),
        1 => Just(Between::Clone),
        2 => Just(Between::Snapshot),
        2 => Just(Between::Replay),
        1 => Just(Between::HandOver),
    ]
}

/// The state after each step. The operations in between must not change it.
fn trace<P: Program, S: Settings>(
    threads: &Threads,
    seeds: &[u64],
    between: &[Between],
) -> Vec<(u64, Vec<Entity>)> {
    let mut world = World::<P, S>::on(threads.clone());
    let mut states: Vec<(u64, Vec<Entity>)> = Vec::new();
    let mut last: Option<(usize, Snapshot<P>)> = None;
    let state = |world: &World<P, S>| (world.state_hash(), entities(world));
    for (n, &seed) in seeds.iter().enumerate() {
        match between.get(n).unwrap_or(&Between::Nothing) {
            Between::Nothing => {}
            Between::Clone => world = world.clone(),
            Between::HandOver => {
                let mut next = World::on(threads.clone());
                next.restore(&world.snapshot()).unwrap();
                world = next;
            }
            Between::Snapshot => {
                last = Some(match last {
                    None => (n, world.snapshot()),
                    Some((_, mut old)) => {
                        world.snapshot_into(&mut old);
                        (n, old)
                    }
                });
            }
            Between::Replay => {
                if let Some((from, snapshot)) = &last {
                    world.restore(snapshot).unwrap();
                    for again in *from..n {
                        advance(&mut world, seeds[again]);
                        assert_eq!(state(&world), states[again], "step {again}, once more");
                    }
                }
            }
        }
        advance(&mut world, seed);
        states.push(state(&world));
    }
    states
}

type Plain = Config<Dynamic<16>, Disallow, Sequential>;
type Parallel = Config<Fixed<6000>, ecs_core::settings::Allow, AtomicCounter>;

/// Compares all kinds of storage, with both kinds of limits, on 1, 2 and 4 threads.
fn compare(seeds: &[u64], between: &[Between]) {
    let expected = trace::<program::contiguous::Tested, Plain>(&Threads::Inline, seeds, &[]);
    macro_rules! compare {
        ($($world:ident)*) => {$(
            for threads in [&Threads::Inline, &pools()[1], &pools()[4]] {
                type Tested = program::$world::Tested;
                let stored = Tested::STORED;
                let plain = trace::<Tested, Plain>(threads, seeds, between);
                assert_eq!(plain, expected, "{stored}, {threads:?}");
                let parallel = trace::<Tested, Parallel>(threads, seeds, between);
                assert_eq!(parallel, expected, "{stored}, in parallel, {threads:?}");
            }
        )*};
    }
    compare!(contiguous interleaved hashed sparse listed);
}

proptest! {
    #![proptest_config(crate::support::cases(24))]
    #[test]
    fn nothing_between_two_steps_makes_a_difference(
        seeds in proptest::collection::vec(any::<u64>(), 1..14),
        between in proptest::collection::vec(between(), 14),
    ) {
        compare(&seeds, &between);
    }
}

#[test]
fn the_program_comes_to_everything() {
    // The states must vary, or the property would be vacuous.
    let seeds: Vec<u64> = (0..40).map(mix).collect();
    let states = trace::<program::sparse::Tested, Parallel>(&Threads::Inline, &seeds, &[]);
    let most = states.iter().map(|(_, all)| all.len()).max().unwrap();
    assert!(most > 100, "{most}");
    assert!(states.iter().any(|(_, all)| all.iter().any(|e| e.generation().get() > 3)));
    assert!(states.windows(2).all(|pair| pair[0].0 != pair[1].0 || pair[0].1 == pair[1].1));
}
