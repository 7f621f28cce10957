//! Systems that go on over a refresh which they neither cause nor see. The result is that of a refresh that waits for all:
//! on one thread every refresh does, so the worlds on other threads are compared with one on one thread.

use core::sync::atomic::AtomicUsize;
use core::sync::atomic::Ordering::{Acquire, Release};
use std::time::{Duration, Instant};

use ecs_core::description::Description;
use ecs_core::scheduler::{Delayed, Sequential, Shuffled};
use ecs_core::settings::{Dynamic, Scheduled, Settings};
use ecs_core::{Data, Entity, StateHash, Threads, World, world};
use proptest::prelude::*;

use crate::support::{cases, caught, fail, fresh, mix, pools, three};

#[derive(Clone, StateHash)]
struct A(u64);
#[derive(Clone, StateHash)]
struct B(u64);
#[derive(Clone, StateHash)]
struct C(u64);
#[derive(Clone, StateHash)]
struct D(u64);
#[derive(Clone, StateHash)]
struct P(u32);
#[derive(Clone, StateHash)]
struct Q(u8);
#[derive(Clone, StateHash)]
struct Tag;
#[derive(Clone, StateHash)]
struct InMap(u64);
#[derive(Clone, StateHash)]
struct InSet(u64);
#[derive(Clone, StateHash)]
struct Name(String);
#[derive(Clone, Default, StateHash)]
struct Round(u64);
#[derive(Clone, Default, StateHash)]
struct Sum(u64);

world! {
    world Yard { staged_changes: refresh_before_dependents }

    component A;
    component B;
    component C;
    component D;
    component (P, Q): contiguous_buffer;
    component Tag: empty;
    component InMap: hash_map;
    component InSet: sparse_set;
    component Name;
    resource Round;
    resource Sum;

    // Three barriers: after `TagSome`, after `UseTags`, and, for all, after `UseSets`.
    system TagSome {
        read: [A],
        read_resources: [Round],
        insert: [Tag, Name, InMap],
        remove: [Tag, InMap],
        parallelism: split_every(64),
        output: Vec<u64>,
        run: tag_some,
    }
    system UseTags {
        with: [Tag],
        read_resources: [Round],
        insert: [InSet, Q],
        remove: [Name],
        update: [B],
        dependencies: [TagSome],
        parallelism: split_evenly(3),
        run: use_tags,
    }
    system UseSets {
        read: [InSet, A],
        read_optional: [Name],
        without: [Q],
        read_resources: [Round],
        inputs: [TagSome],
        remove: [InSet],
        despawn,
        spawn: [(A, C), (A, B, D, P)],
        dependencies: [UseTags],
        run: use_sets,
    }
    system Last {
        read: [A],
        read_optional: [B, C, D, P, Q, InMap],
        write_resources: [Sum],
        dependencies: [UseSets, Half, Named, Both],
        run: last,
    }
    // It goes on over two barriers.
    system Long {
        parallelism: split_every(128),
        each: |c: &mut C, round: &Round| {
            for _ in 0..50 {
                c.0 = mix(c.0 + round.0);
            }
        },
    }
    // It goes on over the first one. At the second one, its buffer changes.
    system Half {
        parallelism: split_every(64),
        each: |p: &mut P| {
            for _ in 0..50 {
                p.0 = mix(u64::from(p.0)) as u32;
            }
        },
    }
    // Every barrier waits for it.
    system Named { each: |map: &InMap, d: &mut D| d.0 ^= map.0 }
    // It waits for `UseTags` and for `Long`, and changes what `Long` has written.
    system Both {
        with: [Tag],
        dependencies: [UseTags, Long],
        each: |c: &mut C| c.0 = c.0.rotate_left(1),
    }
}

/// One of `n` cases for the entity in this round.
fn case(entity: Entity, round: u64, n: u64) -> u64 {
    mix(u64::from(entity.index()) + round * 0x1_0000_0001) % n
}

fn tag_some(data: &mut Data<'_, Yard, TagSome>) {
    let round = data.resources.get::<Round>().0;
    let Data { own, effects, .. } = data;
    own.for_entities(|e| {
        let entity = e.entity;
        match case(entity, round, 7) {
            0 => effects.insert(entity, Tag),
            1 => {
                effects.insert(entity, Tag);
                effects.insert(entity, Name(format!("{round} {}", e.a.0)));
            }
            2 => effects.remove::<Tag>(entity),
            3 => effects.insert(entity, InMap(e.a.0 % 100)),
            4 => effects.remove::<InMap>(entity),
            _ => effects.output().push(e.a.0 % 5),
        }
    });
}

fn use_tags(data: &mut Data<'_, Yard, UseTags>) {
    let round = data.resources.get::<Round>().0;
    let Data { own, effects, .. } = data;
    own.for_entities(|e| {
        let (entity, b) = (e.entity, e.b.0.wrapping_mul(3));
        match case(entity, round + 1, 5) {
            0 => effects.insert(entity, InSet(round)),
            1 => effects.insert(entity, Q(round as u8)),
            2 => effects.remove::<Name>(entity),
            3 => effects.update(entity, B(b.wrapping_add(round))),
            _ => {}
        }
    });
}

fn use_sets(data: &mut Data<'_, Yard, UseSets>) {
    let round = data.resources.get::<Round>().0;
    let sum: u64 = data.effects.outputs_of::<TagSome>().flatten().sum();
    let Data { own, effects, .. } = data;
    own.for_entities(|e| {
        let entity = e.entity;
        let name = e.name.map_or(0, |name| name.0.len() as u64);
        match case(entity, round + 2, 4) {
            0 => effects.despawn(entity),
            1 => effects.spawn((A(e.a.0 + sum), C(name))),
            2 => effects.spawn((A(e.in_set.0), B(sum), D(0), P(name as u32))),
            _ => effects.remove::<InSet>(entity),
        }
    });
}

fn last(data: &mut Data<'_, Yard, Last>) {
    let Data { own, resources, .. } = data;
    let sum = &mut resources.get_mut::<Sum>().0;
    own.for_entities(|e| {
        let values = [
            e.a.0,
            e.b.map_or(1, |b| b.0),
            e.c.map_or(2, |c| c.0),
            e.p.map_or(3, |p| u64::from(p.0)),
            e.q.map_or(4, |q| u64::from(q.0)),
            e.in_map.map_or(5, |map| map.0),
            e.d.map_or(6, |d| d.0),
        ];
        *sum = values.into_iter().fold(*sum, |sum, value| mix(sum ^ value));
    });
}

/// What happens between two ticks.
#[derive(Clone, Debug)]
enum Op {
    Tick,
    /// A tick after changes at once, for which its first refresh is that of the whole world.
    Changed(u64),
    Spawn(usize),
    Despawn(u64),
    Chain,
    Twice,
    Restore,
}

fn ops() -> impl Strategy<Value = Vec<Op>> {
    let op = prop_oneof![
        6 => Just(Op::Tick),
        1 => (0..50_u64).prop_map(Op::Changed),
        2 => (1..700_usize).prop_map(Op::Spawn),
        1 => (0..50_u64).prop_map(Op::Despawn),
        1 => Just(Op::Chain),
        1 => Just(Op::Twice),
        1 => Just(Op::Restore),
    ];
    prop::collection::vec(op, 3..14)
}

/// The hash of the world after each operation.
fn hashes<S: Settings<Limit = Dynamic<1024>>>(mut world: World<Yard, S>, ops: &[Op]) -> Vec<u64> {
    let mut entities = Vec::new();
    let mut snapshot = None;
    let mut hashes = Vec::new();
    for (round, op) in ops.iter().enumerate() {
        let round = round as u64;
        world.resource_mut::<Round>().0 = round;
        match *op {
            Op::Tick => world.tick().unwrap(),
            Op::Changed(n) => world
                .step(|step| {
                    for &entity in entities.iter().skip(n as usize).step_by(7) {
                        if step.is_alive(entity) {
                            step.insert(entity, InMap(n)).unwrap();
                        }
                    }
                    step.execute_systems();
                })
                .unwrap(),
            Op::Spawn(count) => {
                let n = |i: usize| mix(i as u64 + round);
                entities.extend(
                    world.spawn_batch((0..count).map(|i| (A(n(i)), B(n(i) / 2), C(n(i) / 3)))),
                );
                entities.extend(world.spawn_batch((0..count / 2).map(|i| (A(n(i)), P(i as u32)))));
                entities
                    .extend(world.spawn_batch((0..count / 3).map(|i| (C(n(i)), P(i as u32), Tag))));
            }
            Op::Despawn(n) => {
                for &entity in entities.iter().skip(n as usize).step_by(5) {
                    world.despawn(entity);
                }
            }
            Op::Chain => world.step(|step| step.execute_systems_from::<(UseTags, Long)>()).unwrap(),
            Op::Twice => world
                .step(|step| {
                    step.execute_systems();
                    step.execute_systems();
                })
                .unwrap(),
            Op::Restore => match &snapshot {
                None => snapshot = Some(world.snapshot()),
                Some(snapshot) => world.restore(snapshot).unwrap(),
            },
        }
        hashes.push(world.state_hash());
    }
    hashes
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn the_result_is_that_of_a_refresh_that_waits_for_all(ops in ops(), seed: u64) {
        let expected = hashes(World::<Yard>::on(Threads::Inline), &ops);
        for threads in pools() {
            prop_assert_eq!(&hashes(World::<Yard>::on(threads.clone()), &ops), &expected);
            let world = World::<Yard, Scheduled<Yard, Sequential>>::on(threads.clone());
            prop_assert_eq!(&hashes(world, &ops), &expected);
        }
        let shuffled = |dag: &_| Shuffled::seeded(dag, seed);
        let world = World::<Yard, Scheduled<Yard, Shuffled>>::with_scheduler(three(), shuffled);
        prop_assert_eq!(&hashes(world, &ops), &expected);
        let delayed = |dag: &_| Delayed::seeded(dag, seed);
        let world = World::<Yard, Scheduled<Yard, Delayed>>::with_scheduler(three(), delayed);
        prop_assert_eq!(&hashes(world, &ops), &expected);
    }
}

#[test]
fn a_description_says_what_goes_on_and_what_would() {
    let barriers = Description::of::<Yard>();
    let barriers: Vec<String> = barriers.barriers().iter().map(ToString::to_string).collect();
    insta::assert_snapshot!("yard_barriers", barriers.join("\n"));
}

/// Where the systems of `Meeting` are.
static USED: AtomicUsize = AtomicUsize::new(0);

#[derive(Clone, Default)]
struct Met(bool);

world! {
    world Meeting { staged_changes: refresh_before_dependents }
    component A;
    component C;
    component Tag: empty;
    resource Met;
    system Mark {
        insert: [Tag],
        each: |entity: Entity, _: &A, effects| effects.insert(entity, Tag),
    }
    system Use {
        with: [Tag],
        dependencies: [Mark],
        run: |data| {
            assert_eq!(data.own.all_entity_count(), 100);
            USED.store(1, Release);
        },
    }
    // It ends only when `Use` has run, which is behind the barrier.
    system Wait {
        with: [C],
        write_resources: [Met],
        run: |data| {
            let start = Instant::now();
            while USED.load(Acquire) == 0 && start.elapsed() < Duration::from_secs(20) {
                std::thread::yield_now();
            }
            data.resources.get_mut::<Met>().0 = USED.load(Acquire) == 1;
        },
    }
}

#[test]
fn a_system_goes_on_while_those_behind_the_barrier_run() {
    let mut world = World::<Meeting>::on(fresh(2));
    world.spawn_batch((0..100).map(|n| (A(n), C(n))));
    world.tick().unwrap();
    assert!(world.resource::<Met>().0, "the refresh has waited for `Wait`");
}

struct Bomb(bool);

impl Drop for Bomb {
    fn drop(&mut self) {
        if self.0 && !std::thread::panicking() {
            fail("bomb");
        }
    }
}

world! {
    world Panicking { staged_changes: refresh_before_dependents }
    component A;
    component C;
    component Bomb;
    resource Sum;
    system Arm {
        insert: [Bomb],
        each: |entity: Entity, a: &A, effects| effects.insert(entity, Bomb(a.0 == 3)),
    }
    system Count { with: [Bomb], write_resources: [Sum], dependencies: [Arm], run: |data| {
        let count = data.own.all_entity_count();
        data.resources.get_mut::<Sum>().0 = count as u64;
    } }
    system Go { each: |c: &mut C| c.0 += 1 }
}

#[test]
fn a_destructor_that_panics_ends_the_execution_after_the_refresh() {
    let run = |threads| {
        let mut world = World::<Panicking>::on(threads);
        let all = world.spawn_batch((0..200).map(|n| (A(n), C(0))));
        world.tick().unwrap();
        assert_eq!(world.resource::<Sum>().0, 200);
        // The bomb of the first step is replaced, and explodes.
        assert_eq!(caught(|| world.tick()), "bomb");
        let armed = all.iter().filter(|&&entity| world.contains::<Bomb>(entity)).count();
        assert_eq!(armed, 200);
        let c = all.iter().map(|&entity| world.get::<C>(entity).unwrap().0).collect::<Vec<_>>();
        // The bomb of the second step is still there.
        assert_eq!(caught(|| drop(world)), "bomb");
        c
    };
    assert_eq!(run(Threads::Inline), [2; 200]);
    // On several threads `Go` has either run or not started.
    let c = run(three());
    assert!(c == [1; 200] || c == [2; 200], "{c:?}");
}
