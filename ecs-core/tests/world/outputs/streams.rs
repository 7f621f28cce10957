//! Streams: order, determinism, back-pressure, panics, and both ends at the same time.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::time::{Duration, Instant};

use ecs_core::settings::{
    Allow, AtomicCounter, Config, Disallow, Dynamic, Fixed, Sequential, Settings,
};
use ecs_core::{Data, Executor, Stream, System, Threads, World, world};

use crate::support::{caught, every_kind, fail, fresh};

struct Number(u64);

world! {
    world Piped { entity_limit: dynamic(16) }
    component Number: contiguous_buffer;
    resource Log;
    resource Sum;
    resource Ready;
    resource Seen;
    system First { write_resources: [Ready] }
    system Send {
        dependencies: [First],
        parallelism: split_evenly(5),
        read: [Number],
        output: Stream<u64>,
    }
    system Take { streams: [Send], write_resources: [Log], output: Vec<u64> }
    system Also { parallelism: split_every(64), read: [Number], output: Stream<(u64, u64)> }
    system Add { streams: [Also], unordered, read_resources: [Ready], dependencies: [First], write_resources: [Sum] }
    system Last { dependencies: [Take, Add], read_resources: [Log, Sum], write_resources: [Seen] }
}

#[derive(Default)]
struct Log(Vec<u64>);

#[derive(Default)]
struct Sum(u64);

#[derive(Default)]
struct Ready(u64);

#[derive(Default)]
struct Seen(usize, u64);

#[derive(Default)]
struct First;

impl System<Piped> for First {
    fn process(&self, data: &mut Data<'_, Piped, Self>) {
        data.resources.get_mut::<Ready>().0 += 1;
    }
}

/// Sends several items for each entity. Panics at the number `fail_at`, if it is set.
#[derive(Default)]
struct Send {
    fail_at: Option<u64>,
}

const EACH: u64 = 3;

impl System<Piped> for Send {
    fn process(&self, data: &mut Data<'_, Piped, Self>) {
        let (own, effects) = (&mut data.own, &mut data.effects);
        let mut stream = effects.stream();
        own.for_entities(|e| {
            if self.fail_at == Some(e.number.0) {
                fail("the producer");
            }
            (0..EACH).for_each(|i| stream.send(e.number.0 * EACH + i));
        });
    }
}

#[derive(Default)]
struct Take {
    fail_at: Option<u64>,
    executions: usize,
}

impl System<Piped> for Take {
    fn process(&self, data: &mut Data<'_, Piped, Self>) {
        for item in data.effects.received::<Send>() {
            if self.fail_at == Some(item) {
                fail("the consumer");
            }
            data.resources.get_mut::<Log>().0.push(item);
            data.effects.output().push(item);
        }
        assert_eq!(data.effects.received::<Send>().count(), 0, "a batch is taken once");
    }

    fn execute(&mut self, executor: &mut Executor<'_, Piped, Self>) {
        self.executions += 1;
        let this = &*self;
        executor.for_subtasks(|data| this.process(data));
    }
}

#[derive(Default)]
struct Also;

impl System<Piped> for Also {
    fn process(&self, data: &mut Data<'_, Piped, Self>) {
        let (own, effects) = (&mut data.own, &mut data.effects);
        let mut stream = effects.stream();
        own.for_entities(|e| stream.send((e.number.0, 1)));
    }
}

#[derive(Default)]
struct Add;

impl System<Piped> for Add {
    fn process(&self, data: &mut Data<'_, Piped, Self>) {
        assert!(
            data.resources.get::<Ready>().0 > 0,
            "the producer waits for what the consumer needs"
        );
        let sum: u64 = data.effects.received::<Also>().map(|(number, one)| number + one).sum();
        data.resources.get_mut::<Sum>().0 += sum;
    }
}

#[derive(Default)]
struct Last;

impl System<Piped> for Last {
    fn process(&self, data: &mut Data<'_, Piped, Self>) {
        let seen = Seen(data.resources.get::<Log>().0.len(), data.resources.get::<Sum>().0);
        *data.resources.get_mut::<Seen>() = seen;
    }
}

fn filled(threads: Threads, entities: u64) -> World<Piped> {
    let mut world = World::<Piped>::on(threads);
    let filled = world.step(|step| {
        for n in 0..entities {
            step.spawn((Number(n),));
        }
    });
    filled.unwrap();
    world
}

#[test]
fn everything_comes_once_and_in_order_on_any_number_of_threads() {
    for threads in every_kind() {
        for entities in [0, 1, 70, 3_000, 40_000] {
            let mut world = filled(threads.clone(), entities);
            for _ in 0..2 {
                world.resource_mut::<Log>().0.clear();
                world.resource_mut::<Sum>().0 = 0;
                let put_out = world.step(|step| {
                    step.execute_systems();
                    let mut all = Vec::new();
                    step.output_parts_of::<Take>().for_each(|output| all.extend_from_slice(output));
                    all
                });
                let expected: Vec<u64> = (0..EACH * entities).collect();
                assert_eq!(world.resource::<Log>().0, expected);
                assert_eq!(put_out.unwrap(), expected);
                let sum = (0..entities).sum::<u64>() + entities;
                assert_eq!(world.resource::<Sum>().0, sum);
                let seen = world.resource::<Seen>();
                assert_eq!((seen.0, seen.1), (expected.len(), sum), "what depends on it waits");
            }
            assert_eq!(world.system::<Take>().executions, 2);
        }
    }
}

#[test]
fn overrides_at_either_end() {
    let mut world = filled(fresh(2), 5_000);
    let ran = world.step(|step| {
        step.execute_with(|systems| {
            systems
                .for_subtasks::<Send>(|_, data| {
                    let mut stream = data.effects.stream();
                    (0..10).for_each(|i| stream.send(i));
                })
                .detailed::<Take>(|system, executor| {
                    system.executions += 10;
                    executor.for_subtasks(|data| {
                        let items = data.effects.received::<Send>();
                        data.resources.get_mut::<Log>().0.extend(items);
                    });
                })
        });
    });
    ran.unwrap();
    let expected: Vec<u64> = (0..5).flat_map(|_| 0..10).collect();
    assert_eq!(world.resource::<Log>().0, expected, "in the order of subtasks");
    // A consumer that takes nothing does not prevent the producer's execution.
    let sent = AtomicUsize::new(0);
    world
        .step(|step| {
            step.execute_with(|systems| {
                systems
                    .for_subtasks::<Send>(|_, data| {
                        data.effects.stream().send(1);
                        sent.fetch_add(1, SeqCst);
                    })
                    .detailed::<Take>(|_, _| {})
            });
        })
        .unwrap();
    assert_eq!(sent.into_inner(), 5);
    assert_eq!(world.resource::<Log>().0, expected);
}

#[test]
fn a_consumer_alone_gets_nothing() {
    let mut world = filled(Threads::Inline, 100);
    world.step(|step| step.execute_systems_from::<(Take,)>()).unwrap();
    assert!(world.resource::<Log>().0.is_empty());
    assert_eq!(world.system::<Take>().executions, 1);
    world.step(|step| step.execute_systems_from::<(Send,)>()).unwrap();
    assert_eq!(world.resource::<Log>().0.len(), 100 * EACH as usize);
    assert_eq!(world.system::<Take>().executions, 2);
}

#[test]
fn a_panic_at_either_end_ends_both() {
    for threads in every_kind() {
        let mut world = filled(threads, 20_000);
        for (sending, taking, expected) in [
            (Some(15_000), None, "the producer"),
            (None, Some(30_000), "the consumer"),
            (None, Some(0), "the consumer"),
            // The producer has the lower number.
            (Some(15_000), Some(0), "the producer"),
        ] {
            world.system_mut::<Send>().fail_at = sending;
            world.system_mut::<Take>().fail_at = taking;
            let payload = caught(|| world.tick());
            // On one thread the producer may panic before the consumer is called.
            assert_eq!(payload, expected);
        }
        world.system_mut::<Send>().fail_at = None;
        world.system_mut::<Take>().fail_at = None;
        world.resource_mut::<Log>().0.clear();
        world.tick().unwrap();
        assert_eq!(world.resource::<Log>().0, (0..EACH * 20_000).collect::<Vec<_>>());
    }
}

#[test]
fn the_consumer_starts_while_the_producer_runs() {
    // The producer continues once the consumer has taken an item, or after 30 s at most.
    let taken = AtomicBool::new(false);
    let overlapped = AtomicBool::new(false);
    let mut world = filled(fresh(2), 1);
    world
        .step(|step| {
            step.execute_with(|systems| {
                systems
                    .for_subtasks::<Send>(|_, data| {
                        let mut stream = data.effects.stream();
                        (0..2_000).for_each(|i| stream.send(i));
                        let start = Instant::now();
                        while !taken.load(SeqCst) && start.elapsed() < Duration::from_secs(30) {
                            std::thread::yield_now();
                            // Also sent if the wait has timed out.
                            (0..100).for_each(|i| stream.send(i));
                        }
                        overlapped.store(taken.load(SeqCst), SeqCst);
                    })
                    .for_subtasks::<Take>(|_, data| {
                        if data.effects.received::<Send>().count() > 0 {
                            taken.store(true, SeqCst);
                        }
                    })
            });
        })
        .unwrap();
    assert!(overlapped.into_inner());
}

/// The results of a piped world after two steps under the settings `S`.
fn outcome<S: Settings>(threads: Threads) -> (Vec<u64>, u64, Vec<u64>) {
    let mut world = World::<Piped, S>::on(threads);
    let filled = world.step(|step| {
        for n in 0..9_000 {
            step.spawn((Number(n),));
        }
    });
    filled.unwrap();
    let mut put_out = Vec::new();
    for _ in 0..2 {
        world
            .step(|step| {
                step.execute_systems();
                step.output_parts_of::<Take>().for_each(|output| put_out.extend_from_slice(output));
            })
            .unwrap();
    }
    let log = world.resource::<Log>().0.clone();
    (log, world.resource::<Sum>().0, put_out)
}

#[test]
fn every_policy_gives_the_same() {
    let items: Vec<u64> = (0..EACH * 9_000).collect();
    let twice = [items.clone(), items].concat();
    let sum = 2 * ((0..9_000).sum::<u64>() + 9_000);
    let expected = (twice.clone(), sum, twice);
    macro_rules! check {
        ($($limit:ty, $inner:ty, $scheduler:ty;)*) => {$(
            for threads in [fresh(1), fresh(2), fresh(4)] {
                let found = outcome::<Config<$limit, $inner, $scheduler>>(threads);
                assert!(found == expected, stringify!($limit, $inner, $scheduler));
            }
        )*};
    }
    check! {
        Dynamic<16>, Allow, AtomicCounter;
        Dynamic<16>, Allow, Sequential;
        Dynamic<16>, Disallow, AtomicCounter;
        Dynamic<16>, Disallow, Sequential;
        Fixed<9_000>, Allow, AtomicCounter;
        Fixed<9_000>, Allow, Sequential;
        Fixed<9_000>, Disallow, AtomicCounter;
        Fixed<9_000>, Disallow, Sequential;
    }
}

#[test]
fn batches_are_cut_by_the_split_alone() {
    for threads in every_kind() {
        let mut world = filled(threads, 5_000);
        let sizes = Mutex::new(Vec::new());
        let step = world.step(|step| {
            step.execute_with(|systems| {
                systems
                    .for_subtasks::<Send>(|_, data| {
                        let mut stream = data.effects.stream();
                        (0..1_300).for_each(|i| stream.send(i));
                    })
                    .for_subtasks::<Take>(|_, data| {
                        let size = data.effects.received::<Send>().count();
                        sizes.lock().unwrap().push(size);
                    })
            });
        });
        step.unwrap();
        // Five subtasks send the items.
        assert_eq!(sizes.into_inner().unwrap(), [512, 512, 276].repeat(5));
    }
}
