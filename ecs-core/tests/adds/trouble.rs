//! Panics: what a system has added is dropped if it panics, and the world stays usable.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use ecs_core::scheduler::{
    Dag, ExecuteError, ForkJoin, Outcome, PanicSlot, Scheduler, Sequential, StartNodes,
};
use ecs_core::settings::Scheduled;
use ecs_core::{Combine, Data, System as _, World, world};

use crate::support::{Counted, Ledger, caught, every_kind, fail, three};

struct Value(u32);

/// Counts its values, each of which is dropped once.
#[derive(Default)]
struct Total {
    sum: u32,
    held: Vec<Counted>,
}

/// A value of which combining panics.
const POISON: u32 = 1_000_000;

impl Combine for Total {
    fn combine(&mut self, other: Self) {
        if self.sum.max(other.sum) >= POISON {
            fail("combine");
        }
        self.sum += other.sum;
        self.held.extend(other.held);
    }
}

#[derive(Default)]
struct Trigger {
    at: AtomicU32,
    other: AtomicU32,
    ledger: Ledger,
}

world! {
    world Fragile {}
    component Value: contiguous_buffer;
    resource Trigger;
    resource Total: combine;
    resource Shown;
    system One {
        read: [Value],
        read_resources: [Trigger],
        add: [Total],
        parallelism: split_every(64),
        each: |e, effects, resources| {
            let trigger = resources.get::<Trigger>();
            effects.add(Total { sum: 1, held: vec![trigger.ledger.make()] });
            if e.value.0 == trigger.at.load(Relaxed) {
                fail("one");
            }
        },
    }
    system Other {
        read_resources: [Trigger],
        add: [Total],
        run: |data| {
            let trigger = data.resources.get::<Trigger>();
            let sum = trigger.other.load(Relaxed);
            data.effects.add(Total { sum, held: vec![trigger.ledger.make()] });
        },
    }
    // After it is combined.
    #[allow(unused_right)]
    system Show {
        read_resources: [Total],
        write_resources: [Shown],
        dependencies: [One, Other],
        run: |data| data.resources.get_mut::<Shown>().0 += 1,
    }
}

#[derive(Default)]
struct Shown(u32);

fn set(world: &mut World<Fragile>, at: u32, other: u32) {
    *world.resource_mut::<Trigger>().at.get_mut() = at;
    *world.resource_mut::<Trigger>().other.get_mut() = other;
}

/// What the world has, and how many values it holds.
fn held(world: &World<Fragile>) -> (u32, usize, usize, u32) {
    let total = world.resource::<Total>();
    let living = world.resource::<Trigger>().ledger.living();
    (total.sum, total.held.len(), living, world.resource::<Shown>().0)
}

#[test]
fn a_round_is_combined_as_a_whole_or_not_at_all() {
    for threads in every_kind() {
        let mut world = World::<Fragile>::on(threads);
        world.spawn_batch((0..300).map(|n| (Value(n),)));
        set(&mut world, 1_000, 7);
        world.tick().unwrap();
        assert_eq!(held(&world), (307, 301, 301, 1));
        for at in [0, 100, 299] {
            set(&mut world, at, 7);
            assert_eq!(caught(|| world.tick()), "one");
            assert_eq!(held(&world), (307, 301, 301, 1), "neither has added, and all is dropped");
        }
        set(&mut world, 1_000, 5);
        world.tick().unwrap();
        assert_eq!(held(&world), (612, 602, 602, 2));
    }
}

#[test]
fn a_panic_of_the_operation_is_one_of_a_system() {
    for threads in every_kind() {
        let mut world = World::<Fragile>::on(threads);
        world.spawn_batch((0..300).map(|n| (Value(n),)));
        set(&mut world, 1_000, POISON);
        assert_eq!(caught(|| world.tick()), "combine");
        let (_, of_total, living, shown) = held(&world);
        assert_eq!((of_total, shown), (living, 0), "the rest is dropped");
        world.resource_mut::<Total>().sum = 0;
        set(&mut world, 1_000, 1);
        let before = held(&world).1;
        world.tick().unwrap();
        assert_eq!(held(&world), (301, before + 301, before + 301, 1));
    }
}

#[test]
fn what_an_execution_that_panics_has_added_does_not_show_in_the_next() {
    for threads in every_kind() {
        let mut world = World::<Fragile>::on(threads);
        world.spawn_batch((0..300).map(|n| (Value(n),)));
        set(&mut world, 100, 7);
        world
            .step(|step| {
                assert_eq!(caught(|| step.execute_systems()), "one");
                *step.resource_mut::<Trigger>().at.get_mut() = 1_000;
                step.execute_systems();
            })
            .unwrap();
        assert_eq!(held(&world), (307, 301, 301, 1), "each has added once");
        // A part of the systems after a panic of the operation.
        set(&mut world, 1_000, POISON);
        world
            .step(|step| {
                assert_eq!(caught(|| step.execute_systems()), "combine");
                step.resource_mut::<Total>().sum = 0;
                step.resource_mut::<Total>().held.clear();
                step.execute_only::<(One,)>();
                assert_eq!(step.resource::<Total>().sum, 300);
            })
            .unwrap();
        assert_eq!(held(&world), (300, 300, 300, 1));
        // A panic after the subtasks of a system.
        set(&mut world, 1_000, 7);
        world
            .step(|step| {
                let panic = caught(|| {
                    step.execute_with(|systems| {
                        systems.detailed::<Other>(|other, executor| {
                            executor.for_subtasks(|data| other.process(data));
                            fail("after");
                        })
                    });
                });
                assert_eq!(panic, "after");
                step.execute_only::<(Other,)>();
            })
            .unwrap();
        assert_eq!(held(&world), (307, 301, 301, 1));
    }
}

#[test]
fn what_subtasks_that_panic_have_added_is_dropped_if_their_system_goes_on() {
    for threads in every_kind() {
        let mut world = World::<Fragile>::on(threads);
        world.spawn_batch((0..300).map(|n| (Value(n),)));
        set(&mut world, 100, 7);
        world
            .step(|step| {
                step.execute_with(|systems| {
                    systems
                        .detailed::<One>(|one, executor| {
                            assert_eq!(
                                caught(|| executor.for_subtasks(|data| one.process(data))),
                                "one"
                            );
                        })
                        // One subtask has code of its own.
                        .detailed::<Other>(|other, executor| {
                            let adds_and_panics = |data: &mut Data<'_, Fragile, Other>| {
                                other.process(data);
                                fail("other");
                            };
                            assert_eq!(caught(|| executor.for_subtasks(adds_and_panics)), "other");
                            executor.for_subtasks(|data| other.process(data));
                        })
                });
            })
            .unwrap();
        assert_eq!(held(&world), (7, 1, 1, 1));
    }
}

#[derive(Default)]
struct Bombs(Vec<Counted>);

impl Combine for Bombs {
    fn combine(&mut self, other: Self) {
        self.0.extend(other.0);
    }
}

world! {
    world Mined {}
    resource Trigger;
    resource Bombs: combine;
    system Lay {
        read_resources: [Trigger],
        add: [Bombs],
        run: |data| {
            let trigger = data.resources.get::<Trigger>();
            data.effects.add(Bombs(vec![trigger.ledger.bomb(), trigger.ledger.make()]));
            if trigger.at.load(Relaxed) > 0 {
                fail("lay");
            }
        },
    }
    system Wait { add: [Bombs], run: |_| {} }
}

#[test]
fn values_whose_destructors_panic_are_dropped_once() {
    for threads in every_kind() {
        let mut world = World::<Mined>::on(threads);
        *world.resource_mut::<Trigger>().at.get_mut() = 1;
        let ledger = world.resource::<Trigger>().ledger.clone();
        assert_eq!(caught(|| world.tick()), "lay");
        assert_eq!(ledger.living(), 0);
        *world.resource_mut::<Trigger>().at.get_mut() = 0;
        world.tick().unwrap();
        assert_eq!((ledger.living(), world.resource::<Bombs>().0.len()), (2, 2));
        assert_eq!(caught(|| world.resource_mut::<Bombs>().0.clear()), "bomb");
        assert_eq!(ledger.living(), 0);
    }
}

world! {
    world Skipped {}
    component Value;
    resource Trigger;
    resource Total: combine;
    system First {
        read_resources: [Trigger],
        add: [Total],
        spawn: [Value],
        run: |data| {
            let held = vec![data.resources.get::<Trigger>().ledger.make()];
            data.effects.add(Total { sum: 1, held });
            data.effects.spawn((Value(0),));
        },
    }
    system Second {
        read_resources: [Trigger],
        add: [Total],
        run: |data| {
            let held = vec![data.resources.get::<Trigger>().ledger.make()];
            data.effects.add(Total { sum: 10, held });
        },
    }
}

/// What the scheduler does, from the second execution on as it should be.
#[derive(Clone, Copy, Debug)]
enum Fault {
    /// It leaves out the second system.
    Skips,
    /// It panics after the first system.
    Panics,
    /// It keeps the panics of systems to itself.
    Conceals,
}

struct Careless {
    fault: Option<Fault>,
    honest: Sequential,
}

impl Scheduler for Careless {
    fn new(dag: &Dag) -> Self {
        Self { fault: None, honest: Sequential::new(dag) }
    }

    fn execute<E: ForkJoin, F: Fn(usize) -> Outcome + Sync>(
        &mut self,
        starts: StartNodes<'_>,
        executor: &E,
        run: &F,
    ) -> Result<(), ExecuteError> {
        match self.fault.take() {
            None => return self.honest.execute(starts, executor, run),
            Some(Fault::Skips) => _ = run(0),
            Some(Fault::Panics) => {
                let _ = run(0);
                fail("scheduler");
            }
            Some(Fault::Conceals) => (0..2).for_each(|node| {
                let panics = PanicSlot::new();
                panics.catch(node, None, || run(node));
            }),
        }
        Ok(())
    }
}

#[test]
fn what_is_left_at_the_end_of_a_phase_is_dropped_after_a_panic() {
    for fault in [Fault::Skips, Fault::Panics, Fault::Conceals] {
        let make = |dag: &Dag| Careless { fault: Some(fault), honest: Scheduler::new(dag) };
        let mut world =
            World::<Skipped, Scheduled<Skipped, Careless>>::with_scheduler(three(), make);
        world.resource_mut::<Total>().sum = POISON;
        let ledger = world.resource::<Trigger>().ledger.clone();
        world
            .step(|step| {
                let panic = caught(|| step.execute_systems());
                let expected = match fault {
                    Fault::Skips => "combine",
                    Fault::Panics => "scheduler",
                    Fault::Conceals => "no panic",
                };
                assert_eq!((panic.as_str(), ledger.living()), (expected, 0));
                step.resource_mut::<Total>().sum = 0;
                step.execute_systems();
            })
            .unwrap();
        assert_eq!((world.resource::<Total>().sum, ledger.living()), (11, 2), "{fault:?}");
        // The staged work of the execution is dropped, too, unless nothing has told of the panic.
        let spawned = if matches!(fault, Fault::Conceals) { 2 } else { 1 };
        assert_eq!(world.entity_count(), spawned, "{fault:?}");
    }
}
