//! Which threads execute systems: one thread of the pool as long as there is too little work to share, and
//! the calling thread if it belongs to the pool.

use std::sync::{Arc, Mutex};
use std::thread::{self, ThreadId};
use std::time::Duration;

use ecs_core::{Data, System, Threads, World, world};
use rayon::ThreadPoolBuilder;

world! {
    world Pauses {}
    system First: Pause { state: Pause::default() }
    system Second: Pause { state: Pause::default() }
    system Third: Pause { state: Pause::default(), dependencies: [First, Second] }
}

/// Sleeps, and records its thread.
#[derive(Default)]
struct Pause {
    length: Duration,
    place: Mutex<Option<ThreadId>>,
}

impl<N: ecs_core::SystemName<Pauses>> System<Pauses, N> for Pause {
    fn process(&self, _: &mut Data<'_, Pauses, N>) {
        thread::sleep(self.length);
        *self.place.lock().unwrap() = Some(thread::current().id());
    }
}

/// Whether the calling thread has executed each of the systems in one step.
fn step(world: &mut World<Pauses>) -> [bool; 3] {
    world.tick().unwrap();
    let places = [
        &world.system::<First>().place,
        &world.system::<Second>().place,
        &world.system::<Third>().place,
    ];
    places.map(|place| *place.lock().unwrap() == Some(thread::current().id()))
}

fn pool() -> Arc<rayon::ThreadPool> {
    Arc::new(ThreadPoolBuilder::new().num_threads(2).build().unwrap())
}

/// Calls `f` on a thread of a pool, with a world that runs on that pool.
fn in_pool(f: impl FnOnce(&mut World<Pauses>) + Send) {
    let pool = pool();
    let mut world = World::<Pauses>::on(Threads::Pool(Arc::clone(&pool)));
    pool.install(|| f(&mut world));
}

#[test]
fn little_stays_with_the_calling_thread() {
    in_pool(|world| {
        // A delay of the machine may make one execution look long, so this need not hold in every step.
        let alone = (0..200).filter(|_| step(world) == [true; 3]).count();
        assert!(alone > 0, "never in 200 steps");
    });
}

#[test]
fn from_outside_a_pool_gets_everything() {
    let mut world = World::<Pauses>::on(Threads::Pool(pool()));
    assert!((0..200).all(|_| step(&mut world) == [false; 3]));
}

#[test]
fn an_eager_pool_gets_everything() {
    let mut world = World::<Pauses>::on(Threads::Eager(pool()));
    assert!((0..200).all(|_| step(&mut world) == [false; 3]));
}

#[test]
fn what_takes_long_goes_to_the_pool_and_comes_back() {
    let set = |world: &mut World<Pauses>, length| {
        world.system_mut::<First>().length = length;
        world.system_mut::<Second>().length = length;
    };
    in_pool(|world| {
        set(world, Duration::from_millis(1));
        let shared = (0..100).any(|_| step(world) != [true; 3]);
        assert!(shared, "two that could overlap, one after the other");
        set(world, Duration::ZERO);
        assert!((0..10_000).any(|_| step(world) == [true; 3]), "nothing to gain any more");
    });
}

#[test]
fn chains_that_take_long_go_to_the_pool() {
    in_pool(|world| {
        world.system_mut::<First>().length = Duration::from_millis(1);
        world.system_mut::<Second>().length = Duration::from_millis(1);
        let shared = (0..200).any(|_| {
            world
                .step(|step| {
                    step.execute_systems_from::<(Third,)>();
                    step.execute_systems_from::<(First, Second)>();
                })
                .unwrap();
            let place = |place: &Mutex<_>| *place.lock().unwrap();
            place(&world.system::<First>().place) != place(&world.system::<Second>().place)
        });
        assert!(shared, "two that could overlap, one after the other");
    });
}

#[test]
fn a_long_system_that_nothing_runs_beside_stays() {
    in_pool(|world| {
        world.system_mut::<Third>().length = Duration::from_millis(1);
        let alone = (0..100).filter(|_| step(world) == [true; 3]).count();
        assert!(alone > 50, "{alone} of 100");
    });
}
