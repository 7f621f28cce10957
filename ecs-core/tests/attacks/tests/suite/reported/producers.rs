//! Producers of streams that panic, and that send from other threads.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::thread::sleep;
use std::time::Duration;

use attacks::support::{caught, fail, fresh};
use ecs_core::{Data, Stream, System, Threads, World, world};

#[derive(Default)]
struct Taken(Vec<u64>);

#[derive(Default)]
struct Where(Mutex<Vec<bool>>);

#[derive(Default)]
struct Send;

#[derive(Default)]
struct Take;

world! {
    world Streamed {}
    resource Taken;
    resource Where;
    system Send { output: Stream<u64> }
    system Take { streams: [Send], write_resources: [Taken], read_resources: [Where] }
}

impl System<Streamed> for Send {
    fn process(&self, data: &mut Data<'_, Streamed, Self>) {
        sleep(Duration::from_millis(50));
        let mut stream = data.effects.stream();
        (0..10).for_each(|n| stream.send(n));
        fail("producer");
    }
}

impl System<Streamed> for Take {
    fn process(&self, data: &mut Data<'_, Streamed, Self>) {
        data.resources
            .get::<Where>()
            .0
            .lock()
            .unwrap()
            .push(rayon::current_thread_index().is_some());
        let items = data.effects.received::<Send>();
        data.resources.get_mut::<Taken>().0.extend(items);
    }
}

#[test]
fn what_a_panicking_round_delivers_is_the_same_on_any_threads() {
    let taken = [Threads::Inline, fresh(3)].map(|threads| {
        let mut world = World::<Streamed>::on(threads);
        world
            .step(|step| {
                step.execute_with(|systems| {
                    systems.detailed::<Send>(|system, executor| {
                        let system = &*system;
                        let _ = catch_unwind(AssertUnwindSafe(|| {
                            executor.for_subtasks(|data| system.process(data));
                        }));
                    })
                });
            })
            .unwrap();
        world.resource::<Taken>().0.len()
    });
    assert_eq!(taken[0], taken[1]);
}

/// The code around the consumer's subtasks catches every panic; the producer's reaches the caller all the same.
#[test]
fn the_panic_of_a_producer_reaches_the_caller() {
    let mut world = World::<Streamed>::on(Threads::Inline);
    let step = || {
        world.step(|step| {
            step.execute_with(|systems| {
                systems.detailed::<Take>(|system, executor| {
                    let system = &*system;
                    let _ = catch_unwind(AssertUnwindSafe(|| {
                        executor.for_subtasks(|data| system.process(data));
                    }));
                })
            });
        })
    };
    assert_eq!(caught(step).as_deref(), Some("producer"));
}

#[test]
fn a_consumer_runs_in_the_pool_after_a_send_from_any_thread() {
    let mut world = World::<Streamed>::on(fresh(2));
    world
        .step(|step| {
            step.execute_with(|systems| {
                systems.for_subtasks::<Send>(|_, data| {
                    let mut stream = data.effects.stream();
                    std::thread::scope(|scope| {
                        scope.spawn(|| (0..200_000).for_each(|n| stream.send(n)));
                    });
                })
            });
        })
        .unwrap();
    assert_eq!(world.resource::<Taken>().0.len(), 200_000);
    let all = world.resource_mut::<Where>().0.get_mut().unwrap();
    let outside = all.iter().filter(|&&inside| !inside).count();
    assert_eq!(outside, 0, "of {} calls", all.len());
}
