//! Data in queues: deferred functions and streams.

use ecs_core::{Data, Stream, System, Threads, World, world};

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
