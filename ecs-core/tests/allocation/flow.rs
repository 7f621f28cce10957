//! Data in queues: deferred functions and streams; and additions to resources.

use ecs_core::{Combine, Data, Stream, System, Threads, World, world};

use super::ALLOCATIONS;

world! {
    world Later {}
    resource Sum;
    system Put { defer }
}

#[derive(Default)]
struct Sum(u64);

#[derive(Default)]
struct Put;

impl System<Later> for Put {
    fn process(&self, data: &mut Data<'_, Later, Self>) {
        for i in 0..250_000_u64 {
            let (two, four, eight) = ([i; 2], [i; 4], [i; 8]);
            data.effects.defer(move |defer| defer.resource_mut::<Sum>().0 += i);
            data.effects.defer(move |defer| defer.resource_mut::<Sum>().0 += two[1]);
            data.effects.defer(move |defer| defer.resource_mut::<Sum>().0 += four[3]);
            data.effects.defer(move |defer| defer.resource_mut::<Sum>().0 += eight[7]);
        }
    }
}

#[test]
fn nor_do_a_million_deferred_functions_of_mixed_sizes() {
    let mut world = World::<Later>::on(Threads::Inline);
    let mut step = || world.tick().unwrap();
    step();
    let before = ALLOCATIONS.get();
    step();
    step();
    assert_eq!(ALLOCATIONS.get() - before, 0, "allocations in 2 steps");
    assert_eq!(world.resource::<Sum>().0, 3 * 4 * (249_999 * 250_000 / 2));
}

world! {
    world Flow {}
    resource Sum;
    system Send { output: Stream<u64> }
    system Take { streams: [Send], write_resources: [Sum] }
}

#[derive(Default)]
struct Send;

impl System<Flow> for Send {
    fn process(&self, data: &mut Data<'_, Flow, Self>) {
        let mut stream = data.effects.stream();
        (0..100_000).for_each(|item| stream.send(item));
    }
}

#[derive(Default)]
struct Take;

impl System<Flow> for Take {
    fn process(&self, data: &mut Data<'_, Flow, Self>) {
        let sum: u64 = data.effects.received::<Send>().sum();
        data.resources.get_mut::<Sum>().0 += sum;
    }
}

#[test]
fn nor_does_a_stream() {
    let mut world = World::<Flow>::on(Threads::Inline);
    let mut step = || world.tick().unwrap();
    (0..40).for_each(|_| step());
    let before = ALLOCATIONS.get();
    (0..10).for_each(|_| step());
    assert_eq!(ALLOCATIONS.get() - before, 0, "allocations in 10 steps");
    assert_eq!(world.resource::<Sum>().0, 50 * (99_999 * 100_000 / 2));
}

struct Number(u64);

#[derive(Combine, Default)]
struct Count(u64);

#[derive(Combine, Default)]
struct All(u64, [u32; 2]);

world! {
    world Tally {}
    component Number;
    resource Count: sum;
    resource All: sum;
    system Each {
        read: [Number],
        add: [Count, All],
        parallelism: split_every(64),
        each: |e, effects| {
            effects.add(All(e.number.0, [1, 2]));
            effects.add(Count(1));
        },
    }
    system Once { add: [Count], run: |data| data.effects.add(Count(1_000_000)) }
    system Seldom {
        read: [Number],
        add: [Count],
        parallelism: split_every(64),
        each: |e, effects| {
            if e.number.0 == 700 {
                effects.add(Count(1_000));
            }
        },
    }
}

#[test]
fn nor_do_additions() {
    let mut world = World::<Tally>::on(Threads::Inline);
    world.spawn_batch((0..1_000).map(|n| (Number(n),)));
    let mut step = || world.tick().unwrap();
    // A system's line takes the memory of the first values, which the subtasks then make anew.
    (0..3).for_each(|_| step());
    let before = ALLOCATIONS.get();
    (0..10).for_each(|_| step());
    assert_eq!(ALLOCATIONS.get() - before, 0, "allocations in 10 steps");
    assert_eq!(world.resource::<Count>().0, 13 * 1_002_000);
    let All(sum, counts) = world.resource::<All>();
    assert_eq!((*sum, *counts), (13 * 499_500, [13_000, 26_000]));
}
