//! Commutative resources: what systems add is the same on any threads, for any split and in any schedule, and later
//! systems find it.

mod by_hand;
mod order;
#[path = "../world/support.rs"]
#[expect(dead_code, reason = "other tests use the rest")]
mod support;
mod trouble;

use ecs_core::scheduler::{Delayed, Shuffled};
use ecs_core::settings::{Allow, Config, Dynamic};
use ecs_core::{Combine, StateHash, Threads, World, set, world};
use proptest::prelude::*;

use support::{cases, every_kind, mix};

#[derive(Clone, StateHash)]
struct Value(u64);

/// Several fields, of all kinds.
#[derive(Clone, Combine, Debug, Default, PartialEq, StateHash)]
struct Sums {
    count: u32,
    total: (u64, [i16; 2]),
}

#[derive(Clone, Combine, Debug, PartialEq, StateHash)]
struct Least(u64);

#[derive(Clone, Combine, Debug, PartialEq, StateHash)]
struct Highest(f64);

#[derive(Clone, Combine, Debug, PartialEq, StateHash)]
struct Bits(u64);

#[derive(Clone, Combine, Debug, Default, PartialEq, StateHash)]
struct Odd(bool);

/// The three lowest values that have been added, in ascending order: an operation of its own.
#[derive(Clone, Debug, Default, PartialEq, StateHash)]
struct Lowest(Vec<u64>);

impl Combine for Lowest {
    fn combine(&mut self, other: Self) {
        self.0.extend(other.0);
        self.0.sort_unstable();
        self.0.truncate(3);
    }
}

fn sums(value: u64) -> Sums {
    let low = value as i16;
    Sums { count: 1, total: (value, [low, !low]) }
}

world! {
    world Tally {}
    component Value: contiguous_buffer;
    resource Sums: sum;
    resource Least: min = Least(u64::MAX);
    resource Highest: max = Highest(f64::NEG_INFINITY);
    resource Bits: all = Bits(u64::MAX);
    resource Odd: any;
    resource Lowest: combine;

    // All of them at the same time, each split in another way.
    system Whole {
        read: [Value],
        add: [Sums, Lowest],
        each: |e, effects| {
            effects.add(sums(e.value.0));
            effects.add(Lowest(vec![e.value.0]));
        },
    }
    system Evenly {
        read: [Value],
        add: [Highest, Sums, Odd],
        parallelism: split_evenly(cores),
        each: |e, effects| {
            effects.add(sums(e.value.0));
            effects.add(Highest(f64::from_bits(e.value.0)));
            if e.value.0 % 7 == 1 {
                effects.add(Odd(true));
            }
        },
    }
    system ByBlocks {
        read: [Value],
        add: [Lowest, Sums, Bits, Least],
        parallelism: split_every(64),
        run: |data| data.own.for_entities(|e| {
            data.effects.add(sums(e.value.0));
            data.effects.add(Bits(e.value.0 | 0xF0));
            data.effects.add(Lowest(vec![e.value.0]));
            data.effects.add(Least(e.value.0));
        }),
    }
}

/// What a step adds, value by value.
type All = (Sums, Least, Highest, Bits, Odd, Lowest);

fn naive(values: &[u64], steps: u32) -> All {
    let mut total = Sums::default();
    for value in values {
        total.count += 3 * steps;
        let low = *value as i16;
        let times = 3 * steps as i16;
        total.total.0 = total.total.0.wrapping_add(value.wrapping_mul(u64::from(3 * steps)));
        total.total.1[0] = total.total.1[0].wrapping_add(low.wrapping_mul(times));
        total.total.1[1] = total.total.1[1].wrapping_add((!low).wrapping_mul(times));
    }
    let mut lowest: Vec<u64> =
        values.iter().flat_map(|value| vec![*value; 2 * steps as usize]).collect();
    lowest.sort_unstable();
    lowest.truncate(3);
    let highest = values.iter().map(|value| f64::from_bits(*value));
    let highest =
        highest.fold(
            f64::NEG_INFINITY,
            |one, other| {
                if other.total_cmp(&one).is_gt() { other } else { one }
            },
        );
    (
        total,
        Least(values.iter().copied().min().unwrap_or(u64::MAX)),
        Highest(highest),
        Bits(values.iter().fold(u64::MAX, |all, value| all & (value | 0xF0))),
        Odd(values.iter().any(|value| value % 7 == 1)),
        Lowest(lowest),
    )
}

fn found<S: ecs_core::settings::Settings>(world: &World<Tally, S>) -> (All, u64) {
    let all = (
        world.resource::<Sums>().clone(),
        world.resource::<Least>().clone(),
        world.resource::<Highest>().clone(),
        world.resource::<Bits>().clone(),
        world.resource::<Odd>().clone(),
        world.resource::<Lowest>().clone(),
    );
    (all, world.state_hash())
}

/// The world with these values after some steps, on these threads.
fn tally<S: ecs_core::settings::Settings>(
    mut world: World<Tally, S>,
    values: &[u64],
    steps: u32,
) -> (All, u64) {
    world.spawn_batch(values.iter().map(|value| (Value(*value),)));
    for _ in 0..steps {
        world.tick().unwrap();
    }
    found(&world)
}

/// The bits of floating-point numbers, which may be no numbers.
fn assert_same(one: &All, other: &All) {
    assert_eq!(one.2.0.to_bits(), other.2.0.to_bits());
    assert_eq!(
        (&one.0, &one.1, &one.3, &one.4, &one.5),
        (&other.0, &other.1, &other.3, &other.4, &other.5)
    );
}

type Under<S> = Config<Dynamic<0>, Allow, S>;

proptest! {
    #![proptest_config(cases(12))]
    #[test]
    fn sums_are_the_same_on_any_threads_and_for_any_split(
        seed in any::<u64>(),
        count in prop_oneof![0_usize..70, 0_usize..3_000],
        steps in 1_u32..4,
    ) {
        let values: Vec<u64> = (0..count as u64).map(|n| mix(seed ^ n)).collect();
        let expected = naive(&values, steps);
        let mut hash = None;
        for threads in every_kind() {
            let (all, found) = tally(World::<Tally>::on(threads), &values, steps);
            assert_same(&all, &expected);
            prop_assert_eq!(*hash.get_or_insert(found), found);
        }
        for threads in [Threads::Inline, support::three()] {
            let shuffled = World::<Tally, Under<Shuffled>>::on(threads.clone());
            prop_assert_eq!(Some(tally(shuffled, &values, steps).1), hash);
            let delayed = World::<Tally, Under<Delayed>>::on(threads);
            prop_assert_eq!(Some(tally(delayed, &values, steps).1), hash);
        }
    }
}

#[test]
fn clones_and_snapshots_hold_what_has_been_added() {
    let values: Vec<u64> = (0..500).map(mix).collect();
    let mut world = World::<Tally>::on(support::three());
    world.spawn_batch(values.iter().map(|value| (Value(*value),)));
    world.tick().unwrap();
    let (mut other, snapshot) = (world.clone(), world.snapshot());
    assert_eq!(found(&other).1, found(&world).1);
    world.tick().unwrap();
    other.tick().unwrap();
    assert_same(&found(&world).0, &naive(&values, 2));
    assert_eq!(found(&other).1, found(&world).1);
    world.restore(&snapshot).unwrap();
    assert_same(&found(&world).0, &naive(&values, 1));
    world.tick().unwrap();
    assert_eq!(found(&other).1, found(&world).1);
}

set! {
    set Counting;
    resource Odd: any;
    resource Hidden: sum, transient = Hidden(3);
    system Note {
        add: [Odd, Hidden],
        run: |data| {
            data.effects.add(Odd(true));
            data.effects.add(Hidden(1));
        },
    }
}

#[derive(Combine)]
struct Hidden(u8);

world! {
    world Outer;
    include Counting;
    system More { add: [Hidden], run: |data| data.effects.add(Hidden(10)) }
}

#[test]
fn systems_of_a_set_add_beside_those_of_the_world() {
    let mut world = World::<Outer>::new();
    world.tick().unwrap();
    assert_eq!((world.resource::<Hidden>().0, world.resource::<Odd>().0), (14, true));
}
