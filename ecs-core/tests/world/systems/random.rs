//! Random numbers: the same on any threads, for any split, with any storage and scheduler; part of clones, snapshots and
//! hashes; and new ones in each execution.

use ecs_core::random::Random;
use ecs_core::scheduler::{Delayed, Shuffled};
use ecs_core::settings::{Allow, Config, Disallow, Dynamic, Fixed, Sequential, Settings};
use ecs_core::{Entity, StateHash, Threads, World, set, world};
use proptest::prelude::*;

use crate::support::{cases, caught, every_kind, fail, three};

#[derive(Clone, Copy, Debug, PartialEq, StateHash)]
struct Gene(u64);
#[derive(Clone, Copy, StateHash)]
struct Age(u32);
#[derive(Clone, Default, StateHash)]
struct Weather(Vec<u64>);

/// Lives that follow from random numbers alone, with spawns and despawns: one world for each storage and split.
macro_rules! lives {
    ($module:ident, $storage:ident, $($split:tt)*) => {
        mod $module {
            use super::*;

            world! {
                pub(super) world Lives { seed: 11 }
                component Gene, Age: $storage;
                resource Weather;

                system Mutate {
                    random,
                    parallelism: $($split)*,
                    each: |cell: Entity, gene: &mut Gene, effects| {
                        let mut random = effects.random(cell);
                        gene.0 = gene.0.rotate_left(7) ^ random.u64();
                        if random.f32() < 0.1 {
                            gene.0 = random.range(..9);
                        }
                    },
                }
                system Live {
                    random,
                    parallelism: $($split)*,
                    despawn,
                    spawn: [(Gene, Age)],
                    dependencies: [Mutate],
                    each: |cell: Entity, gene: &Gene, age: &mut Age, effects| {
                        let mut random = effects.random(cell);
                        age.0 += 1;
                        match random.range(0..10) {
                            0 => effects.despawn(cell),
                            1 => effects.spawn((Gene(gene.0 ^ random.u64()), Age(0))),
                            _ => {}
                        }
                    },
                }
                system Blow {
                    random,
                    run: |effects, weather: &mut Weather| {
                        weather.0.push(effects.random_of_system().u64());
                    },
                }
            }

            /// The state hashes of some steps.
            pub(super) fn run<S: Settings>(mut world: World<Lives, S>, cells: u64) -> Vec<u64> {
                world.step(|step| {
                    step.spawn_batch((0..cells).map(|n| (Gene(n), Age(0))));
                })
                .unwrap();
                (0..5)
                    .map(|_| {
                        world.tick().unwrap();
                        world.state_hash()
                    })
                    .collect()
            }
        }
    };
}

lives! { whole, contiguous_buffer, none }
lives! { parted, contiguous_buffer, split_every(64) }
lives! { evenly, hash_map, split_evenly(cores) }
lives! { sparse, sparse_set, split_evenly(3) }

type Narrow = Config<Fixed<9000>, Disallow, Sequential>;
type Mixed = Config<Dynamic<0>, Allow, Shuffled>;
type Late = Config<Dynamic<0>, Allow, Delayed>;

proptest! {
    #![proptest_config(cases(6))]
    #[test]
    fn lives_are_the_same_on_any_threads_and_for_any_split(cells in 0_u64..1500) {
        let expected = whole::run(World::<whole::Lives>::on(Threads::Inline), cells);
        for threads in every_kind() {
            prop_assert_eq!(&whole::run(World::<whole::Lives>::on(threads.clone()), cells), &expected);
            prop_assert_eq!(&parted::run(World::<parted::Lives>::on(threads.clone()), cells), &expected);
            prop_assert_eq!(&evenly::run(World::<evenly::Lives>::on(threads.clone()), cells), &expected);
            prop_assert_eq!(&sparse::run(World::<sparse::Lives>::on(threads), cells), &expected);
        }
        prop_assert_eq!(&parted::run(World::<parted::Lives, Narrow>::on(three()), cells), &expected);
        prop_assert_eq!(&parted::run(World::<parted::Lives, Mixed>::on(three()), cells), &expected);
        prop_assert_eq!(&evenly::run(World::<evenly::Lives, Late>::on(three()), cells), &expected);
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, StateHash)]
struct Drawn([u64; 2]);
#[derive(Clone, Debug, Default, PartialEq, StateHash)]
struct OfSystems([u64; 2]);

fn draw(mut random: Random) -> u64 {
    random.u64()
}

set! {
    set Dice;
    system Roll {
        random,
        write_resources: [OfSystems],
        run: |data| {
            data.resources.get_mut::<OfSystems>().0[1] = draw(data.effects.random_of_system());
        },
    }
    resource OfSystems;
}

world! {
    world Draws { seed: 3 }
    include Dice;
    component Drawn;
    system One {
        random,
        write: [Drawn],
        each: |e, effects| e.drawn.0[0] = draw(effects.random(e.entity)),
    }
    /// The same as `One` does, in a sequential system, which sees the world as it is now.
    system Other {
        random,
        sequential,
        write: [Drawn],
        dependencies: [One],
        run: |data| data.roll(|mut found| {
            found.entry().drawn.0[1] = draw(found.random());
        }),
    }
    system Alone {
        random,
        write_resources: [OfSystems],
        dependencies: [Roll, Other],
        run: |data| {
            data.resources.get_mut::<OfSystems>().0[0] = draw(data.effects.random_of_system());
        },
    }
}

fn drawn(world: &World<Draws>) -> Vec<u64> {
    let mut all: Vec<u64> = world.iter::<&Drawn>().flat_map(|drawn| drawn.0).collect();
    all.extend(world.resource::<OfSystems>().0);
    all
}

fn tick(world: &mut World<Draws>) -> Vec<u64> {
    world.tick().unwrap();
    drawn(world)
}

fn two() -> World<Draws> {
    let mut world = World::new();
    world.spawn_batch([Drawn::default(); 2].map(|drawn| (drawn,)));
    world
}

fn assert_distinct(numbers: &[u64]) {
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(sorted.len(), numbers.len());
}

#[test]
fn systems_entities_executions_and_seeds_draw_other_numbers() {
    let mut world = two();
    let mut all = tick(&mut world);
    all.extend(tick(&mut world));
    // Twice in a step.
    let first = world.iter::<Entity>().next().unwrap();
    world
        .step(|step| {
            step.execute_systems();
            all.extend(step.get::<Drawn>(first).unwrap().0);
            step.execute_systems();
        })
        .unwrap();
    all.extend(drawn(&world));
    world.set_seed(4);
    all.extend(tick(&mut world));
    assert_eq!(all.len(), 4 * 6 + 2);
    assert_distinct(&all);
    // A new entity in the same row draws other numbers than the one before.
    let seeded = |generations: usize| {
        let mut world = World::<Draws>::new();
        for _ in 0..generations {
            let entity = world.spawn((Drawn::default(),));
            world.despawn(entity);
        }
        world.spawn((Drawn::default(),));
        tick(&mut world)[0]
    };
    assert_distinct(&[seeded(0), seeded(1), seeded(2)]);
}

/// The same on every machine and in later versions: computed by another implementation of the function.
#[test]
fn numbers_are_those_of_the_seed() {
    // The systems of a set come first: `Roll` is 0.
    let expected = [
        0x9a30_5235_bd07_f27b,
        0xe580_6892_a017_6aee,
        0xadf3_95d7_8607_eee6,
        0x70fc_a92d_9850_b353,
        0x7701_c3a1_4a72_3db5,
        0x00f9_e57f_f411_356f,
    ];
    assert_eq!(tick(&mut two()), expected);
}

#[test]
fn the_seed_alone_decides() {
    let mut world = two();
    assert_eq!(world.seed(), 3);
    let first = [tick(&mut world), tick(&mut world)];
    // What came before a seed does not matter.
    world.set_seed(3);
    assert_eq!([tick(&mut world), tick(&mut world)], first);
    let mut other = two();
    other.set_seed(9);
    assert_ne!([tick(&mut other), tick(&mut other)], first);
}

#[test]
fn clones_and_snapshots_go_on_with_the_same_numbers() {
    let mut world = two();
    world.set_seed(70);
    tick(&mut world);
    let (mut clone, snapshot) = (world.clone(), world.snapshot());
    let mut reused = two().snapshot();
    world.snapshot_into(&mut reused);
    let expected = [tick(&mut world), tick(&mut world)];
    assert_eq!([tick(&mut clone), tick(&mut clone)], expected);
    assert_eq!((clone.seed(), clone.state_hash()), (70, world.state_hash()));
    for snapshot in [snapshot, reused] {
        world.restore(&snapshot).unwrap();
        assert_eq!([tick(&mut world), tick(&mut world)], expected);
        let mut elsewhere = World::<Draws>::new();
        elsewhere.restore(&snapshot).unwrap();
        assert_eq!(elsewhere.seed(), 70);
        assert_eq!([tick(&mut elsewhere), tick(&mut elsewhere)], expected);
    }
}

world! {
    world Crowd {}
    component Gene;
    query All { read: [Gene] }
    system Meet {
        random,
        sequential,
        with: [Gene],
        queries: [All],
        output: Vec<u64>,
        run: |data| data.roll_pairs::<All>(|pair| {
            let number = draw(pair.random());
            let (entity, mut now) = (pair.entity(), pair.now());
            let of_entity = draw(now.random(entity));
            now.output().extend([number, of_entity]);
        }),
    }
}

#[test]
fn each_pair_draws_numbers_of_its_own() {
    let mut world = World::<Crowd>::new();
    world.spawn_batch((0..5).map(|n| (Gene(n),)));
    world.tick().unwrap();
    let drawn: Vec<u64> = world.outputs_of::<Meet>().flatten().copied().collect();
    let (pairs, own): (Vec<u64>, Vec<u64>) = drawn.chunks(2).map(|pair| (pair[0], pair[1])).unzip();
    assert_eq!(pairs.len(), 25);
    let own: Vec<u64> = own.into_iter().step_by(5).collect();
    assert_distinct(&[pairs, own].concat());
}

#[derive(Clone, Default, StateHash)]
struct Toss(bool);

world! {
    world Coin {}
    resource Toss;
    system Flip {
        random,
        run: |effects, toss: &mut Toss| toss.0 = effects.random_of_system().u32() < 1 << 31,
    }
}

world! {
    world Plain { seed: 5 }
    resource Toss;
    system Set { run: |toss: &mut Toss| toss.0 = !toss.0 }
}

#[test]
fn the_hash_tells_worlds_apart_that_go_on_differently() {
    let hash = |seed, ticks| {
        let mut world = World::<Coin>::new();
        world.set_seed(seed);
        for _ in 0..ticks {
            world.tick().unwrap();
        }
        world.resource_mut::<Toss>().0 = true;
        world.state_hash()
    };
    assert_distinct(&[hash(0, 0), hash(1, 0), hash(0, 1), hash(0, 2), hash(1, 1)]);
    assert_eq!(hash(1, 3), hash(1, 3));
    // Where no system draws, the seed and the number of executions make no difference.
    let mut plain = World::<Plain>::new();
    let before = plain.state_hash();
    plain.set_seed(6);
    plain.step(|step| (0..2).for_each(|_| step.execute_systems())).unwrap();
    assert_eq!(plain.state_hash(), before);
    assert_eq!(
        (plain.seed(), World::<Plain>::new().seed(), World::<Coin>::new().seed()),
        (6, 5, 0)
    );
}

#[test]
fn other_code_for_a_system_draws_its_numbers() {
    let (mut world, mut other) = (two(), two());
    let expected = tick(&mut world);
    other
        .step(|step| {
            step.execute_with(|systems| {
                systems.for_subtasks::<One>(|_, data| {
                    data.own.for_entities(|e| e.drawn.0[0] = draw(data.effects.random(e.entity)));
                })
            });
        })
        .unwrap();
    assert_eq!(drawn(&other), expected);
}

#[test]
fn a_panic_counts_as_an_execution() {
    let mut world = two();
    let first = tick(&mut world);
    world.set_seed(3);
    let panic = caught(|| {
        world.step(|step| {
            step.execute_with(|systems| systems.for_subtasks::<One>(|_, _| fail("boom")));
        })
    });
    assert_eq!(panic, "boom");
    let mut second = two();
    tick(&mut second);
    let expected = tick(&mut second);
    assert_ne!(first, expected);
    assert_eq!(tick(&mut world), expected);
}
