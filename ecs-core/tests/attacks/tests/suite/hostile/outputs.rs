//! Outputs that are not empty after a reset, replace themselves, panic, or are sequences of something else.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use attacks::support::{caught, fail, four};
use ecs_core::{Data, Output, Sequence, System, Threads, World, world};

use super::counted::{Counted, Living};

struct Number(u64);

/// The faults of an output; each test has its own type of output, and so its own faults.
#[derive(Default)]
struct Faults {
    /// The calls of `default` and of `reset` from which on they panic; 0 for never.
    panics: [AtomicUsize; 2],
    calls: [AtomicUsize; 2],
}

impl Faults {
    const fn new() -> Self {
        Self {
            panics: [const { AtomicUsize::new(0) }; 2],
            calls: [const { AtomicUsize::new(0) }; 2],
        }
    }

    fn call(&self, what: usize, message: &'static str) {
        let call = self.calls[what].fetch_add(1, Relaxed) + 1;
        let panics = self.panics[what].load(Relaxed);
        if panics != 0 && call >= panics {
            fail(message);
        }
    }

    fn set(&self, what: usize, panics: usize) {
        self.panics[what].store(panics, Relaxed);
        self.calls[what].store(0, Relaxed);
    }
}

static FAULTS: Faults = Faults::new();

/// An output that keeps its items at two of three resets.
struct Odd {
    items: Vec<Counted>,
    resets: usize,
}

impl Default for Odd {
    fn default() -> Self {
        FAULTS.call(0, "default");
        Self { items: Vec::new(), resets: 0 }
    }
}

impl Output for Odd {
    const CONCATENATES: bool = true;

    fn reset(&mut self) {
        FAULTS.call(1, "reset");
        self.resets += 1;
        if self.resets.is_multiple_of(3) {
            *self = Self { items: Vec::new(), resets: 0 };
        }
    }
}

impl Sequence for Odd {
    type Item<'a> = u64;

    /// The items in reverse order, and one that does not exist.
    fn items(&self) -> impl Iterator<Item = u64> {
        self.items.iter().rev().map(|value| value.0).chain([u64::MAX])
    }
}

world! {
    world Works {}
    component Number: contiguous_buffer;
    resource Sum;
    system Make { read: [Number], output: Odd, parallelism: split_evenly(3), despawn }
    system Read { inputs: [Make], write_resources: [Sum] }
}

#[derive(Default)]
struct Sum(Vec<u64>);
#[derive(Default)]
struct Make;
#[derive(Default)]
struct Read;

impl System<Works> for Make {
    fn process(&self, _: &mut Data<'_, Works, Self>) {}
}

impl System<Works> for Read {
    fn process(&self, data: &mut Data<'_, Works, Self>) {
        let all: Vec<u64> = data.effects.outputs_of::<Make>().flatten().collect();
        data.resources.get_mut::<Sum>().0 = all;
    }
}

/// Executes `Make`, each of whose subtasks outputs one value for each entity.
fn make(world: &mut World<Works>, living: &Living) -> Option<String> {
    caught(|| {
        world
            .step(|step| {
                step.execute_with(|systems| {
                    systems.for_subtasks::<Make>(|_, data| {
                        let (own, effects) = (&mut data.own, &mut data.effects);
                        own.for_entities(|e| effects.output().items.push(living.value(e.number.0)));
                    })
                });
            })
            .unwrap();
    })
}

#[test]
fn outputs_that_are_not_as_good_as_new() {
    for threads in [Threads::Inline, four()] {
        let living = Living::default();
        FAULTS.set(0, 0);
        FAULTS.set(1, 0);
        let mut world = World::<Works>::on(threads);
        world
            .step(|step| {
                step.spawn_batch((0..200).map(|n| (Number(n),)));
            })
            .unwrap();
        for round in 1..=7 {
            assert_eq!(make(&mut world, &living), None);
            // Each subtask has kept its items; each third reset drops them all.
            let rounds = if round < 3 { round } else { (round - 3) % 3 + 1 };
            let sum = &world.resource::<Sum>().0;
            assert_eq!(living.count(), rounds * 200, "{round}");
            assert_eq!(sum.iter().filter(|n| **n != u64::MAX).count(), rounds * 200);
            // Each output yields one item that does not exist.
            assert!(sum.len() > rounds * 200);
        }
        for (what, message) in [(0, "default"), (1, "reset")] {
            for call in 1..=3 {
                FAULTS.set(what, call);
                let mut fresh = World::<Works>::on(Threads::Inline);
                fresh
                    .step(|step| {
                        step.spawn((Number(1),));
                    })
                    .unwrap();
                for world in [&mut world, &mut fresh] {
                    let before = living.count();
                    if let Some(panic) = make(world, &living) {
                        assert_eq!(panic, message);
                        assert!(living.count() <= before);
                    }
                    FAULTS.set(what, 0);
                    assert_eq!(make(world, &living), None);
                    FAULTS.set(what, call);
                }
            }
            FAULTS.set(what, 0);
        }
        drop(world);
        assert_eq!(living.count(), 0);
    }
}

/// Outputs that are replaced, moved away, and built from those of other subtasks and executions.
#[test]
fn outputs_that_change_places() {
    world! {
        world Swaps {}
        component Number: contiguous_buffer;
        system Swap { read: [Number], output: Vec<Counted>, parallelism: split_evenly(3) }
    }
    #[derive(Default)]
    struct Swap(std::sync::Mutex<Vec<Counted>>);
    impl System<Swaps> for Swap {
        fn process(&self, data: &mut Data<'_, Swaps, Self>) {
            std::mem::swap(&mut *self.0.lock().unwrap(), data.effects.output());
        }
    }
    for threads in [Threads::Inline, four()] {
        let living = Living::default();
        let mut world = World::<Swaps>::on(threads);
        world
            .step(|step| {
                step.spawn_batch((0..200).map(|n| (Number(n),)));
            })
            .unwrap();
        for _ in 0..3 {
            world.system_mut::<Swap>().0.get_mut().unwrap().push(living.value(1));
            let seen = world
                .step(|step| {
                    step.execute_with(|systems| {
                        systems.detailed::<Swap>(|system, executor| {
                            executor.for_subtasks(|data| system.process(data));
                            executor
                                .for_subtasks(|data| data.effects.output().push(living.value(2)));
                            for output in executor.outputs_mut() {
                                let mut other = vec![living.value(3)];
                                std::mem::swap(output, &mut other);
                                output.extend(other);
                            }
                        })
                    });
                    step.outputs_of::<Swap>().flatten().map(|value| value.0).sum::<u64>()
                })
                .unwrap();
            // The first swap outputs the value 1; three subtasks or one output a 2 each; each output gets a 3.
            assert!([1 + 3 * 2 + 6 * 3, 1 + 2 + 2 * 3].contains(&seen), "{seen}");
        }
        drop(world);
        assert_eq!(living.count(), 0);
    }
}

/// A constant that wrongly says that an output concatenates, and one that wrongly says that it does not.
#[test]
fn constants_that_lie() {
    #[derive(Default)]
    struct Single(u64);
    impl Output for Single {
        const CONCATENATES: bool = true;
    }
    world! {
        world Lies {}
        component Number: contiguous_buffer;
        system Count { read: [Number], output: Single, parallelism: split_evenly(4) }
        system See { inputs: [Count], slice_dependent, output: Vec<u64> }
    }
    #[derive(Default)]
    struct Count;
    impl System<Lies> for Count {
        fn process(&self, data: &mut Data<'_, Lies, Self>) {
            let (own, effects) = (&mut data.own, &mut data.effects);
            own.for_entities(|e| effects.output().0 += e.number.0);
        }
    }
    #[derive(Default)]
    struct See;
    impl System<Lies> for See {
        fn process(&self, data: &mut Data<'_, Lies, Self>) {
            let each: Vec<u64> =
                data.effects.output_parts_of::<Count>().map(|single| single.0).collect();
            data.effects.output().extend(each);
        }
    }
    for threads in [Threads::Inline, four()] {
        let mut world = World::<Lies>::on(threads);
        world
            .step(|step| {
                step.spawn_batch((0..300).map(|n| (Number(n),)));
            })
            .unwrap();
        for _ in 0..2 {
            let sum = world.step(|step| {
                step.execute_systems();
                step.outputs_of::<See>().flatten().sum::<u64>()
            });
            assert_eq!(sum, Ok(299 * 300 / 2));
        }
    }
}
