//! Destructors that panic, any number of them, in every place that stores values: each value is dropped once, and the
//! first panic is resumed.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use attacks::support::{caught, fail};
use ecs_core::events::Events;
use ecs_core::{Data, Output, Stream, System, Threads, World, world};

/// Counts its drop, and panics in it if it is a bomb.
#[derive(Clone, Default)]
struct Counted {
    drops: Arc<AtomicUsize>,
    bomb: bool,
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.drops.fetch_add(1, Relaxed);
        if self.bomb {
            fail("bomb");
        }
    }
}

#[derive(Clone)]
struct Plain(#[expect(dead_code, reason = "only its drop counts")] Counted);
#[derive(Clone)]
struct Beside(#[expect(dead_code, reason = "only its drop counts")] Counted);
#[derive(Clone)]
struct Set(#[expect(dead_code, reason = "only its drop counts")] Counted);
#[derive(Clone)]
struct Map(#[expect(dead_code, reason = "only its drop counts")] Counted);
#[derive(Clone, Default)]
struct First(Option<Counted>);
#[derive(Clone, Default)]
struct Second(Option<Counted>);
#[derive(Clone, Default)]
struct Found(Option<Counted>);
impl Output for Found {}

world! {
    world Holds {}
    component Plain: contiguous_buffer;
    component (Beside): contiguous_buffer;
    component Set: sparse_set;
    component Map: hash_map;
    resource First;
    resource Second;
    system Find { with: [Plain], output: Vec<Found>, read_resources: [First], parallelism: split_every(64), state: Find(None) }
    system Last { output: Found, read_resources: [First], state: Last(None) }
    system Send { output: Stream<u8> }
    system Take { streams: [Send] }
}

#[derive(Clone)]
struct Find(Option<Counted>);
#[derive(Clone)]
struct Last(Option<Counted>);
#[derive(Clone, Default)]
struct Send;
#[derive(Clone, Default)]
struct Take;

impl System<Holds> for Find {
    fn process(&self, data: &mut Data<'_, Holds, Self>) {
        let value = data.resources.get::<First>().0.clone();
        data.effects.output().push(Found(value));
    }
}

impl System<Holds> for Last {
    fn process(&self, data: &mut Data<'_, Holds, Self>) {
        data.effects.output().0 = data.resources.get::<First>().0.clone();
    }
}

impl System<Holds> for Send {
    fn process(&self, data: &mut Data<'_, Holds, Self>) {
        data.effects.stream().send(1);
    }
}

impl System<Holds> for Take {
    fn process(&self, data: &mut Data<'_, Holds, Self>) {
        drop(data.effects.received::<Send>());
    }
}

/// A world with a value in every place that stores values, and the number of the values. `bomb` tells by the number of
/// a value whether it is a bomb.
fn filled(drops: &Arc<AtomicUsize>, bomb: impl Fn(usize) -> bool) -> (World<Holds>, usize) {
    let mut made = 0;
    let mut make = || {
        made += 1;
        Counted { drops: Arc::clone(drops), bomb: bomb(made - 1) }
    };
    let mut world = World::<Holds>::on(Threads::Inline);
    world
        .step(|step| {
            for _ in 0..100 {
                step.spawn((Plain(make()), Beside(make()), Set(make()), Map(make())));
            }
        })
        .unwrap();
    world.resource_mut::<First>().0 = Some(make());
    world.resource_mut::<Second>().0 = Some(make());
    world.system_mut::<Find>().0 = Some(make());
    world.system_mut::<Last>().0 = Some(make());
    // Two subtasks of `Find` and one of `Last` output a clone each.
    world.tick().unwrap();
    (world, made + 3)
}

#[test]
fn a_world_drops_each_value_once() {
    let all = |_| true;
    let some = |n: usize| n.is_multiple_of(7);
    let one = |n| n == 399;
    let bombs: [(&dyn Fn(usize) -> bool, _); 3] = [(&all, true), (&some, true), (&one, true)];
    for (bomb, panics) in bombs {
        let drops = Arc::default();
        let (world, count) = filled(&drops, bomb);
        assert_eq!(drops.load(Relaxed), 0);
        assert_eq!(caught(|| drop(world)).is_some(), panics);
        assert_eq!(drops.load(Relaxed), count);
    }
}

#[test]
fn so_do_clones_and_snapshots() {
    let drops = Arc::default();
    let (world, count) = filled(&drops, |n| n.is_multiple_of(3));
    let (clone, snapshot) = (world.clone(), world.snapshot());
    assert_eq!(drops.load(Relaxed), 0);
    assert_eq!(caught(|| drop(clone)).as_deref(), Some("bomb"));
    assert_eq!(drops.swap(0, Relaxed), count);
    assert_eq!(caught(|| drop(snapshot)).as_deref(), Some("bomb"));
    assert_eq!(drops.swap(0, Relaxed), count);
    assert_eq!(caught(|| drop(world)).as_deref(), Some("bomb"));
    assert_eq!(drops.load(Relaxed), count);
}

#[test]
fn what_a_restored_world_drops_may_panic() {
    let drops = Arc::default();
    let (mut world, count) = filled(&drops, |_| false);
    let snapshot = world.snapshot();
    let bomb = || Counted { drops: Arc::clone(&drops), bomb: true };
    world
        .step(|step| {
            step.spawn((Plain(bomb()), Set(bomb()), Map(bomb())));
        })
        .unwrap();
    assert_eq!(caught(|| world.restore(&snapshot)).as_deref(), Some("bomb"));
    assert_eq!((world.entity_count(), snapshot.entity_count()), (100, 100));
    drop(snapshot);
    drops.store(0, Relaxed);
    drop(world);
    assert_eq!(drops.load(Relaxed), count);
}

#[test]
fn a_world_that_goes_while_the_thread_unwinds_does_not_abort() {
    let drops = Arc::default();
    let (world, count) = filled(&drops, |_| true);
    let failed = caught(|| {
        let _world = world;
        fail("first");
    });
    assert_eq!(failed.as_deref(), Some("first"));
    assert_eq!(drops.load(Relaxed), count);
}

#[test]
fn the_result_of_a_step_whose_refresh_panics_is_dropped() {
    let drops = Arc::default();
    let bomb = || Counted { drops: Arc::clone(&drops), bomb: true };
    let mut world = World::<Holds>::on(Threads::Inline);
    let one = world.step(|step| step.spawn((Plain(bomb()),))).unwrap();
    let step = || {
        world.step(|step| {
            step.despawn(one);
            bomb()
        })
    };
    assert_eq!(caught(step).as_deref(), Some("bomb"));
    assert_eq!(drops.load(Relaxed), 2);
}

/// A payload whose destructor panics with a smaller payload of the same type.
struct Cluster(u32);

impl Drop for Cluster {
    fn drop(&mut self) {
        if self.0 > 0 {
            std::panic::resume_unwind(Box::new(Cluster(self.0 - 1)));
        }
    }
}

#[test]
fn a_steps_payload_goes_on_though_an_event_panics_behind_it() {
    let mut world = World::<Holds>::on(Threads::Inline);
    let drops = Arc::default();
    let events =
        Events::new().on_subscribe::<Find>(|_| std::panic::resume_unwind(Box::new(Cluster(3))));
    let failing = || {
        world.step_with(events, |step| {
            step.spawn((Plain(Counted { drops: Arc::clone(&drops), bomb: false }),));
            std::panic::resume_unwind(Box::new(Cluster(2)));
        })
    };
    let payload =
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(failing)).map(drop).unwrap_err();
    assert_eq!(payload.downcast_ref::<Cluster>().map(|payload| payload.0), Some(2));
    std::mem::forget(payload);
    assert_eq!(world.entity_count(), 1);
    world.tick().unwrap();
    drop(world);
    assert_eq!(drops.load(Relaxed), 1);
}
