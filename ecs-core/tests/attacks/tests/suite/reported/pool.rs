//! Bodies run on the threads of the user's pool, however small the work is.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use ecs_core::{Data, System, Threads, World, world};
use rayon::ThreadPoolBuilder;

struct Number(u64);

/// Records the sizes of the pools in which bodies have run.
#[derive(Default)]
struct Seen(Mutex<BTreeSet<Option<usize>>>);

world! {
    world Pooled {}
    component Number: contiguous_buffer;
    resource Seen;
    system Count { parallelism: split_every(64), write: [Number], read_resources: [Seen] }
    system Alone { sequential, write: [Number], read_resources: [Seen], dependencies: [Count] }
}

fn note(seen: &Seen) {
    let size = rayon::current_thread_index().map(|_| rayon::current_num_threads());
    seen.0.lock().unwrap().insert(size);
}

#[derive(Default)]
struct Count;

impl System<Pooled> for Count {
    fn process(&self, data: &mut Data<'_, Pooled, Self>) {
        note(data.resources.get::<Seen>());
        data.own.for_entities(|e| e.number.0 = e.number.0.wrapping_mul(31).wrapping_add(7));
    }
}

#[derive(Default)]
struct Alone;

impl System<Pooled> for Alone {
    fn process(&self, data: &mut Data<'_, Pooled, Self>) {
        note(data.resources.get::<Seen>());
    }
}

#[test]
fn bodies_run_in_the_pool_of_their_world() {
    for size in [1, 5] {
        for entities in [10, 20_000] {
            let pool = || Arc::new(ThreadPoolBuilder::new().num_threads(size).build().unwrap());
            for threads in [Threads::Pool(pool()), Threads::Eager(pool())] {
                let mut world = World::<Pooled>::on(threads);
                world
                    .step(|step| {
                        step.spawn_batch((0..entities).map(|n| (Number(n),)));
                    })
                    .unwrap();
                for n in 0..100 {
                    world
                        .step(|step| match n % 2 {
                            0 => step.execute_systems(),
                            _ => step.execute_systems_from::<(Alone,)>(),
                        })
                        .unwrap();
                }
                let seen = world.resource::<Seen>().0.lock().unwrap().clone();
                assert_eq!(seen, BTreeSet::from([Some(size)]), "{entities} entities");
            }
        }
    }
}

#[test]
fn overrides_run_there_too_and_so_do_worlds_within_worlds() {
    let pool =
        |size| Threads::Pool(Arc::new(ThreadPoolBuilder::new().num_threads(size).build().unwrap()));
    let mut outer = World::<Pooled>::on(pool(1));
    let inner = Mutex::new(World::<Pooled>::on(pool(2)));
    let seen = Seen::default();
    outer
        .step(|step| {
            step.execute_with(|systems| {
                systems.for_subtasks::<Count>(|_, _| {
                    note(&seen);
                    inner.lock().unwrap().tick().unwrap();
                    note(&seen);
                })
            });
        })
        .unwrap();
    assert_eq!(*seen.0.lock().unwrap(), BTreeSet::from([Some(1)]));
    assert_eq!(
        *inner.lock().unwrap().resource::<Seen>().0.lock().unwrap(),
        BTreeSet::from([Some(2)])
    );
}
