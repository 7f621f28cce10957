//! Worlds and threads: worlds that are sent, that are shared, and that run on fewer threads than there is
//! work.

use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use ecs_core::settings::{Allow, AtomicCounter, Config, Dynamic, Fixed, Sequential};
use ecs_core::{Data, Entity, System, Threads, World, world};

use crate::support::{POOL_SIZES, every_kind, fresh};

#[derive(Clone, Copy, Debug, PartialEq)]
struct A(u64);
#[derive(Clone, Copy, Debug, PartialEq)]
struct B(u64);
#[derive(Clone, Copy, Debug, PartialEq)]
struct C(u64);
#[derive(Clone, Copy, Debug, PartialEq)]
struct E(u64);

world! {
    world Wide { entity_limit: dynamic(16) }
    component A: contiguous_buffer;
    component B: contiguous_buffer;
    component C: contiguous_buffer;
    component E: contiguous_buffer;

    system AddA { write: [A], parallelism: split_every(64) }
    system AddB { write: [B], parallelism: split_every(64) }
    system AddC { write: [C], parallelism: split_every(64) }
    system AddE { write: [E], parallelism: split_every(64) }
    system Sum {
        dependencies: [AddA, AddB, AddC, AddE],
        read: [A, B, C, E],
        parallelism: split_every(64),
        output: Vec<u64>,
    }
}

macro_rules! adders {
    ($($system:ident $component:ident;)*) => {$(
        #[derive(Default)]
        struct $system;

        impl System<Wide> for $system {
            fn process(&self, data: &mut Data<'_, Wide, Self>) {
                data.own.query::<&mut $component>().for_each(|value| value.0 += 1);
                thread::yield_now();
            }
        }
    )*};
}

adders! { AddA A; AddB B; AddC C; AddE E; }

#[derive(Default)]
struct Sum;

impl System<Wide> for Sum {
    fn process(&self, data: &mut Data<'_, Wide, Self>) {
        let Data { own, effects, .. } = data;
        own.for_entities(|e| effects.output().push(e.a.0 + e.b.0 + e.c.0 + e.e.0));
    }
}

const ENTITIES: u64 = 1_000;

fn wide(threads: Threads) -> World<Wide> {
    let mut world = World::on(threads);
    world
        .step(|step| {
            for i in 0..ENTITIES {
                step.spawn((A(i), B(i), C(i), E(i)));
            }
        })
        .unwrap();
    world
}

fn run(world: &mut World<Wide>, steps: u64) {
    for step in 1..=steps {
        let mut sums: Vec<u64> = Vec::new();
        world
            .step(|proxy| {
                proxy.execute_systems();
                proxy.output_parts_of::<Sum>().for_each(|output| sums.extend(output));
            })
            .unwrap();
        assert_eq!(sums.len() as u64, ENTITIES);
        let first = sums[0];
        assert!(sums.iter().zip(0..).all(|(sum, i)| *sum == first + 4 * i), "in step {step}");
    }
}

#[test]
fn worlds_are_send_and_sync() {
    fn assert_both<T: Send + Sync>() {}
    assert_both::<World<Wide>>();
    assert_both::<World<Wide, Config<Fixed<1>, Allow, Sequential>>>();
    assert_both::<World<Wide, Config<Dynamic<1>, Allow, AtomicCounter>>>();
}

/// No subtask ends before another one of the same system has begun.
#[test]
fn subtasks_of_one_system_overlap() {
    let (done, wait) = mpsc::channel();
    thread::spawn(move || {
        let begun = AtomicUsize::new(0);
        wide(fresh(2))
            .step(|step| {
                step.execute_with(|systems| {
                    systems.for_subtasks::<Sum>(|_, _| {
                        begun.fetch_add(1, SeqCst);
                        while begun.load(SeqCst) < 2 {
                            thread::yield_now();
                        }
                    })
                });
            })
            .unwrap();
        done.send(begun.into_inner()).unwrap();
    });
    let subtasks = wait.recv_timeout(Duration::from_mins(2)).expect("two subtasks at once");
    assert!(subtasks > 2, "{subtasks} subtasks");
}

#[test]
fn few_threads_and_many_subtasks_never_deadlock() {
    let (done, wait) = mpsc::channel();
    thread::spawn(move || {
        for threads in every_kind() {
            run(&mut wide(threads), 200);
        }
        // Several worlds at once in pools of one and of two threads, and worlds inside of pools.
        for size in [1, 2] {
            let threads = fresh(size);
            let worlds = (0..4).map(|_| {
                let threads = threads.clone();
                thread::spawn(move || run(&mut wide(threads), 50))
            });
            for world in worlds.collect::<Vec<_>>() {
                world.join().unwrap();
            }
            let Threads::Eager(pool) = &threads else { unreachable!() };
            pool.install(|| run(&mut wide(threads.clone()), 20));
            pool.install(|| run(&mut wide(Threads::Global), 20));
            pool.install(|| run(&mut wide(fresh(3)), 20));
        }
        done.send(()).unwrap();
    });
    wait.recv_timeout(Duration::from_mins(2)).expect("no deadlock");
}

#[test]
fn a_world_wanders_from_thread_to_thread() {
    let mut world = wide(fresh(2));
    for size in POOL_SIZES {
        world = thread::spawn(move || {
            run(&mut world, 2);
            assert!(size > 0);
            world
        })
        .join()
        .unwrap();
    }
    for (count, a) in (0..).zip(world.iter::<&A>()) {
        assert_eq!(a.0, count + 2 * POOL_SIZES.len() as u64);
    }
}

#[test]
fn many_threads_look_at_one_world() {
    let mut world = wide(Threads::Inline);
    run(&mut world, 1);
    let mut entities: Vec<Entity> = Vec::new();
    for entity in world.iter::<Entity>() {
        entities.push(entity);
    }
    // Threads that are joined: to a sanitizer, the end of a scoped one, which std counts, orders nothing.
    let shared = Arc::new((world, entities));
    let look = || {
        let shared = Arc::clone(&shared);
        thread::spawn(move || {
            let (world, entities) = &*shared;
            let mut sum = 0;
            for (a, b) in world.iter::<(&A, Option<&B>)>() {
                sum += a.0 + b.unwrap().0;
            }
            assert_eq!(sum, ENTITIES * (ENTITIES + 1));
            for (&entity, i) in entities.iter().zip(1..) {
                assert_eq!(world.get::<C>(entity), Some(&C(i)));
            }
        })
    };
    let threads: Vec<_> = (0..4).map(|_| look()).collect();
    for thread in threads {
        thread.join().unwrap();
    }
}

#[test]
fn a_step_inside_a_system_of_another_world() {
    for threads in every_kind() {
        let mut outer = wide(threads.clone());
        let inner = std::sync::Mutex::new(wide(threads));
        outer
            .step(|step| {
                step.execute_with(|systems| {
                    systems.detailed::<Sum>(|_, _| run(&mut inner.lock().unwrap(), 3))
                });
            })
            .unwrap();
    }
}

#[test]
fn any_world_can_be_sent_and_shared() {
    fn can<T: Send + Sync>() {}
    fn any<D: ecs_core::Declaration, S: ecs_core::settings::Settings>() {
        can::<World<D, S>>();
    }
    any::<Wide, Config<Dynamic<8>, Allow, AtomicCounter>>();
}
