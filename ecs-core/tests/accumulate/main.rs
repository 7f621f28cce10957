//! Accumulations: values that systems merge into components of any entities have the same bits on any threads, for any
//! split, in any schedule and in any storage.

mod meetings;
#[path = "../world/support.rs"]
#[expect(dead_code, reason = "other tests use the rest")]
mod support;
mod trouble;

use std::collections::BTreeMap;

use ecs_core::scheduler::{Delayed, Shuffled};
use ecs_core::settings::{Allow, Config, Dynamic, Settings};
use ecs_core::{Accumulate, Entity, StateHash, Threads, World, world};
use proptest::prelude::*;

use support::{cases, every_kind, mix};

#[derive(Clone, StateHash)]
struct Value(u64);

/// Whom the entity hits.
#[derive(Clone, StateHash)]
struct Targets(Vec<Entity>);

/// A sum whose bits depend on the order.
#[derive(Clone, Debug, PartialEq, StateHash)]
struct Force(f32);

/// Neither commutative nor associative, and dropped.
#[derive(Clone, Debug, PartialEq, StateHash)]
struct Log(Vec<u64>);

/// The last one, in external storage.
#[derive(Clone, Debug, PartialEq, StateHash)]
struct Last(u64);

/// How often; packed.
#[derive(Clone, Debug, PartialEq, StateHash)]
struct Count(u32);

impl Accumulate for Force {
    fn accumulate(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl Accumulate for Log {
    fn accumulate(&mut self, other: Self) {
        self.0.push(0);
        self.0.extend(other.0);
    }
}

impl Accumulate for Last {
    fn accumulate(&mut self, other: Self) {
        *self = other;
    }
}

impl Accumulate for Count {
    fn accumulate(&mut self, other: Self) {
        self.0 += other.0;
    }
}

fn force(value: u64) -> Force {
    Force(f32::from_bits(0x3000_0000 + (value as u32 >> 3)))
}

world! {
    world Field {}
    component Value, Targets: contiguous_buffer;
    component (Force, Log): contiguous_buffer;
    component Last: hash_map;
    component Count: sparse_set;

    // All of them at the same time, each split in another way.
    system Whole {
        read: [Value, Targets],
        accumulate: [Force, Log],
        each: |e, effects| for target in &e.targets.0 {
            effects.accumulate(*target, force(e.value.0));
            effects.accumulate(*target, Log(vec![e.value.0]));
        },
    }
    system Evenly {
        read: [Value, Targets],
        accumulate: [Log, Last, Force],
        parallelism: split_evenly(cores),
        each: |e, effects| for target in e.targets.0.iter().rev() {
            effects.accumulate(*target, Log(vec![e.value.0 + 1, 7]));
            effects.accumulate(*target, force(mix(e.value.0)));
            effects.accumulate(*target, Last(e.value.0));
        },
    }
    system ByBlocks {
        read: [Value, Targets],
        accumulate: [Last, Count, Force],
        parallelism: split_every(64),
        each: |e, effects| for target in &e.targets.0 {
            if e.value.0.is_multiple_of(3) {
                effects.accumulate(*target, Last(e.value.0 + 1));
            }
            effects.accumulate(*target, Count(1));
            effects.accumulate(*target, force(!e.value.0));
        },
    }
    // Despawned entities lose what they would have got.
    system Kill { read: [Value], despawn, each: |e, effects| if e.value.0.is_multiple_of(11) {
        effects.despawn(e.entity);
    } }
    // What is written at once comes before what is merged.
    system Decay { write: [Force], each: |e| e.force.0 *= 0.5 }
    // It resets what it has taken in, after which the entity gets a new one.
    system Take {
        read: [Count], remove: [Count], before: [ByBlocks], parallelism: split_every(64),
        each: |e, effects| if e.count.0 > 3 {
            effects.remove::<Count>(e.entity);
        },
    }
}

/// The components that are accumulated into.
type Got = (Option<Force>, Option<Log>, Option<Last>, Option<Count>);

/// The same, one by one, by maps.
#[derive(Clone, Default)]
struct Naive {
    /// By entity, in the order of rows: the value, the targets, and what has come.
    all: BTreeMap<Entity, (u64, Vec<Entity>, Got)>,
    rows: Vec<Entity>,
}

fn merge<C: Accumulate>(place: &mut Option<C>, value: C) {
    match place {
        Some(one) => one.accumulate(value),
        None => *place = Some(value),
    }
}

impl Naive {
    fn step(&mut self) {
        let taken: Vec<bool> = self
            .rows
            .iter()
            .map(|one| self.all[one].2.3.as_ref().is_some_and(|n| n.0 > 3))
            .collect();
        for (_, _, got) in self.all.values_mut() {
            if let Some(force) = &mut got.0 {
                force.0 *= 0.5;
            }
        }
        for (row, taken) in self.rows.iter().zip(taken) {
            if taken {
                self.all.get_mut(row).unwrap().2.3 = None;
            }
        }
        let all: Vec<(u64, Vec<Entity>)> =
            self.rows.iter().map(|row| (self.all[row].0, self.all[row].1.clone())).collect();
        let mut put = |target: &Entity, f: &dyn Fn(&mut Got)| {
            if let Some((_, _, got)) = self.all.get_mut(target) {
                f(got);
            }
        };
        for (value, targets) in &all {
            for target in targets {
                put(target, &|got| merge(&mut got.0, force(*value)));
                put(target, &|got| merge(&mut got.1, Log(vec![*value])));
            }
        }
        for (value, targets) in &all {
            for target in targets.iter().rev() {
                put(target, &|got| merge(&mut got.1, Log(vec![value + 1, 7])));
                put(target, &|got| merge(&mut got.0, force(mix(*value))));
                put(target, &|got| merge(&mut got.2, Last(*value)));
            }
        }
        for (value, targets) in &all {
            for target in targets {
                if value.is_multiple_of(3) {
                    put(target, &|got| merge(&mut got.2, Last(value + 1)));
                }
                put(target, &|got| merge(&mut got.3, Count(1)));
                put(target, &|got| merge(&mut got.0, force(!value)));
            }
        }
        self.all.retain(|_, (value, ..)| !value.is_multiple_of(11));
        self.rows.retain(|row| self.all.contains_key(row));
    }
}

fn got<S: Settings>(world: &World<Field, S>, entity: Entity) -> Got {
    (
        world.get::<Force>(entity).cloned(),
        world.get::<Log>(entity).cloned(),
        world.get::<Last>(entity).cloned(),
        world.get::<Count>(entity).cloned(),
    )
}

/// Spawns the entities, which hit one another.
fn populate<S: Settings>(world: &mut World<Field, S>, seed: u64, count: usize) -> Naive {
    world.spawn_batch((0..count as u64).map(|n| (Value(mix(seed ^ n) >> 8),)));
    let all: Vec<Entity> = world.iter::<Entity>().collect();
    let mut naive = Naive { rows: all.clone(), ..Naive::default() };
    for (n, one) in all.iter().enumerate() {
        let hash = mix(seed.wrapping_mul(31) ^ n as u64);
        let hits = [0, 1, 1, 2, 5][hash as usize % 5];
        // Some are hit by many.
        let targets: Vec<Entity> = (0..hits)
            .map(|hit| {
                let target = mix(hash ^ hit) as usize;
                all[if hit == 1 { target % (1 + count / 64) } else { target % count }]
            })
            .collect();
        world.insert(*one, Targets(targets.clone())).unwrap();
        let force = n.is_multiple_of(3).then_some(Force(n as f32));
        if let Some(force) = &force {
            world.insert(*one, force.clone()).unwrap();
        }
        let value = world.get::<Value>(*one).unwrap().0;
        naive.all.insert(*one, (value, targets, (force, None, None, None)));
    }
    naive
}

/// Compares the world with the model after each step, and returns its hash.
fn run<S: Settings>(mut world: World<Field, S>, seed: u64, count: usize, steps: u32) -> u64 {
    let mut naive = populate(&mut world, seed, count);
    for _ in 0..steps {
        // Entities change rows where others have been despawned.
        naive.rows = world.iter::<Entity>().collect();
        world.tick().unwrap();
        naive.step();
        assert_eq!(world.entity_count(), naive.all.len());
        for (entity, (_, _, expected)) in &naive.all {
            assert_eq!(&got(&world, *entity), expected);
        }
    }
    world.state_hash()
}

type Under<S> = Config<Dynamic<0>, Allow, S>;

proptest! {
    #![proptest_config(cases(10))]
    #[test]
    fn what_is_accumulated_is_the_same_on_any_threads_and_for_any_split(
        seed in any::<u64>(),
        count in prop_oneof![1_usize..70, 1_usize..2_000],
        steps in 1_u32..4,
    ) {
        let mut hash = None;
        for threads in every_kind() {
            let found = run(World::<Field>::on(threads), seed, count, steps);
            prop_assert_eq!(*hash.get_or_insert(found), found);
        }
        for threads in [Threads::Inline, support::three()] {
            let shuffled = World::<Field, Under<Shuffled>>::on(threads.clone());
            prop_assert_eq!(Some(run(shuffled, seed, count, steps)), hash);
            let delayed = World::<Field, Under<Delayed>>::on(threads);
            prop_assert_eq!(Some(run(delayed, seed, count, steps)), hash);
        }
    }
}

#[test]
fn several_chunks_are_merged_side_by_side() {
    let hashes =
        every_kind().into_iter().map(|threads| run(World::<Field>::on(threads), 3, 40_000, 2));
    let hashes: Vec<u64> = hashes.collect();
    assert!(hashes.windows(2).all(|two| two[0] == two[1]));
}

#[test]
fn a_step_after_a_restoration_accumulates_the_same() {
    let mut world = World::<Field>::on(support::three());
    populate(&mut world, 9, 700);
    world.tick().unwrap();
    let snapshot = world.snapshot();
    world.tick().unwrap();
    let hash = world.state_hash();
    world.restore(&snapshot).unwrap();
    let mut clone = world.clone();
    for world in [&mut world, &mut clone] {
        world.tick().unwrap();
        assert_eq!(world.state_hash(), hash);
    }
}
