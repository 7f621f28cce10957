//! Incorrect limits, bundles, places and schedulers with a sound declaration: their promises do not hold, and
//! nothing unsound happens.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use ecs_core::scheduler::{Dag, ExecuteError, ForkJoin, Outcome, PanicSlot, Scheduler, StartNodes};
use ecs_core::settings::{Allow, AtomicCounter, Config, Dynamic, EntityLimit, Settings};
use ecs_core::{Bundle, BundleSink, LimitReached, Place, Step, StepError, World};

use super::panic_of;

struct Position(i32);

/// Spawns `count` entities, each with its number as position.
fn spawn<S: Settings>(world: &mut World<ecs_world::W, S>, count: i32) {
    let created = world.step(|step| step.spawn_batch((0..count).map(|n| (Position(n),))).len());
    assert_eq!(created, Ok(count as usize));
}

/// Worlds from the macro, whose tables are correct.
mod ecs_world {
    use super::Position;
    use ecs_core::{Data, System, world};

    world! {
        pub(super) world W;
        component Position: contiguous_buffer;
        system Look { exclusive, write: [Position], despawn }
    }

    #[derive(Default)]
    pub(super) struct Look {
        pub(super) places: Vec<ecs_core::Place>,
        pub(super) found: std::sync::Mutex<Vec<i32>>,
    }

    impl System<W> for Look {
        fn process(&self, data: &mut Data<'_, W, Self>) {
            for &place in &self.places {
                if let Some(position) = data.own.get_mut::<&mut Position>(place) {
                    self.found.lock().unwrap().push(position.0);
                }
                data.effects.despawn(place);
            }
        }
    }

    world! {
        pub(super) world Two;
        component Position: contiguous_buffer;
        system Add { write: [Position], parallelism: split_evenly(4) }
        system Double { write: [Position], parallelism: split_evenly(4), dependencies: [Add] }
    }

    #[derive(Default)]
    pub(super) struct Add;

    impl System<Two> for Add {
        fn process(&self, data: &mut Data<'_, Two, Self>) {
            data.own.for_entities(|e| e.position.0 += 1);
        }
    }

    #[derive(Default)]
    pub(super) struct Double;

    impl System<Two> for Double {
        fn process(&self, data: &mut Data<'_, Two, Self>) {
            data.own.for_entities(|e| e.position.0 *= 2);
        }
    }
}

#[test]
fn a_limit_that_contradicts_itself() {
    struct Tight;
    impl EntityLimit for Tight {
        const FIXED: Option<usize> = Some(3);
        const INITIAL: usize = 100_000;
        type Outcome<T> = Result<T, LimitReached>;

        fn outcome<T>(spawned: Result<T, LimitReached>) -> Self::Outcome<T> {
            spawned
        }
    }
    struct Late;
    impl EntityLimit for Late {
        const FIXED: Option<usize> = Some(5000);
        const INITIAL: usize = 0;
        type Outcome<T> = Result<T, LimitReached>;

        fn outcome<T>(spawned: Result<T, LimitReached>) -> Self::Outcome<T> {
            spawned
        }
    }
    fn most<L: EntityLimit>() -> usize {
        let mut world = World::<ecs_world::W, Config<L, Allow, AtomicCounter>>::new();
        let full = world.step(|step| {
            let spawned = |step: &mut Step<'_, _, _>| {
                let entity = step.spawn((Position(0),));
                step.is_alive(entity)
            };
            while spawned(step) {}
        });
        let count = world.entity_count();
        assert_eq!(full, Err(StepError::LimitReached { limit: count, lost: 1 }));
        count
    }
    assert_eq!((most::<Tight>(), most::<Late>()), (3, 5000));
}

#[test]
fn places_of_another_world() {
    let mut large = World::<ecs_world::W>::new();
    spawn(&mut large, 20_000);
    let mut places = Vec::new();
    for place in large.iter::<Place>() {
        places.push(place);
    }
    let mut small = World::<ecs_world::W>::new();
    spawn(&mut small, 3);
    small.system_mut::<ecs_world::Look>().places = places;
    small.tick().unwrap();
    assert_eq!(*small.system::<ecs_world::Look>().found.lock().unwrap(), [0, 1, 2]);
    assert_eq!((small.entity_count(), large.entity_count()), (0, 20_000));
}

#[test]
fn a_bundle_with_a_type_twice_or_with_none_or_that_panics() {
    static DROPS: AtomicUsize = AtomicUsize::new(0);
    struct Counted;
    impl Drop for Counted {
        fn drop(&mut self) {
            DROPS.fetch_add(1, Relaxed);
        }
    }
    ecs_core::world! {
        world W;
        component Position: contiguous_buffer;
        component Counted: contiguous_buffer;
    }
    struct Empty;
    impl Bundle<W> for Empty {
        fn put(self, _: &mut BundleSink<'_, W>) {}
    }
    struct Breaks;
    impl Bundle<W> for Breaks {
        fn put(self, sink: &mut BundleSink<'_, W>) {
            sink.put(Counted);
            sink.put(Counted);
            panic!("broken");
        }
    }
    struct Twice;
    impl Bundle<W> for Twice {
        fn put(self, sink: &mut BundleSink<'_, W>) {
            for n in 1..=2 {
                sink.put(Position(n));
                sink.put(Counted);
            }
        }
    }
    let mut world = World::<W>::new();
    let twice = world.spawn(Twice);
    assert_eq!((world.get::<Position>(twice).unwrap().0, DROPS.load(Relaxed)), (2, 1));
    let empty = world.step(|step| step.spawn(Empty)).unwrap();
    assert!(world.is_alive(empty) && world.get::<Position>(empty).is_none());
    assert_eq!(panic_of(|| world.step(|step| step.spawn(Breaks))), "broken");
    world.step(|step| step.despawn(twice)).unwrap();
    drop(world);
    assert_eq!(DROPS.load(Relaxed), 4);
}

/// A bundle that may say that it is stored where another one is.
mod sly {
    use std::mem::MaybeUninit;
    use std::ptr::null_mut;
    use std::sync::atomic::{AtomicPtr, Ordering::Relaxed};

    use ecs_core::{Bundle, BundleSink, world};

    /// The bundle in other memory, so that leak checkers find it.
    static ELSEWHERE: AtomicPtr<Sly> = AtomicPtr::new(null_mut());

    pub(super) struct Load(pub(super) String);
    #[derive(Default)]
    pub(super) struct Honest(pub(super) bool);

    pub(super) struct Sly(Option<String>);

    impl Bundle<W> for Sly {
        fn put(self, sink: &mut BundleSink<'_, W>) {
            sink.put(Load(self.0.unwrap_or_default()));
        }

        fn store(self, place: &mut MaybeUninit<Self>) -> &mut Self {
            if self.0.is_some() {
                return place.write(self);
            }
            let elsewhere = Box::leak(Box::new(self));
            ELSEWHERE.store(elsewhere, Relaxed);
            elsewhere
        }
    }

    world! {
        pub(super) world W;
        component Load: contiguous_buffer;
        resource Honest;
        system Bring {
            read_resources: [Honest],
            spawn: [Sly],
            run: |data| {
                data.effects.spawn(Sly(Some("here".to_owned())));
                if !data.resources.get::<Honest>().0 {
                    data.effects.spawn(Sly(None));
                }
            },
        }
    }
}

#[test]
fn a_bundle_that_is_stored_elsewhere() {
    let mut world = World::<sly::W>::new();
    assert!(panic_of(|| world.tick()).contains("stored elsewhere"));
    assert_eq!(world.entity_count(), 0);
    world.resource_mut::<sly::Honest>().0 = true;
    world.tick().unwrap();
    let mut loads = Vec::new();
    world.iter::<&sly::Load>().for_each(|load| loads.push(load.0.clone()));
    assert_eq!(loads, ["here"]);
}

/// A scheduler that calls nodes arbitrarily: in the wrong order, twice, concurrently.
struct Wild {
    nodes: usize,
}

static WAY: AtomicUsize = AtomicUsize::new(0);

impl Scheduler for Wild {
    fn new(dag: &Dag) -> Self {
        Self { nodes: dag.len() }
    }

    fn execute<E, F>(
        &mut self,
        _: StartNodes<'_>,
        executor: &E,
        run: &F,
    ) -> Result<(), ExecuteError>
    where
        E: ForkJoin,
        F: Fn(usize) -> Outcome + Sync,
    {
        let panics = PanicSlot::new();
        let call = |node: usize| panics.catch(node, None, || run(node));
        match WAY.load(Relaxed) {
            0 => (0..self.nodes).rev().for_each(|node| drop(call(node))),
            1 => executor.join(|| drop(call(0)), || drop(call(1))),
            2 => [0, 0, 1, 1].into_iter().for_each(|node| drop(call(node))),
            3 => drop(call(99)),
            _ => {}
        }
        panics.take().map_or(Ok(()), |failure| Err(failure.into()))
    }
}

#[test]
fn a_scheduler_that_calls_as_it_likes() {
    let mut world = World::<ecs_world::Two, Config<Dynamic<8>, Allow, Wild>>::new();
    world.spawn_batch((0..1000).map(|_| (Position(1),)));
    let sum = |world: &World<ecs_world::Two, _>| {
        let mut sum = 0;
        for position in world.iter::<&Position>() {
            sum += position.0;
        }
        sum
    };
    // `Add` adds 1, then `Double` doubles: neither runs, one runs, or both run in this order.
    for way in 0..5 {
        WAY.store(way, Relaxed);
        let before = sum(&world);
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| world.tick()));
        // The second mode is right by chance, if one thread runs both.
        assert_eq!(result.is_err(), [true, result.is_err(), true, true, false][way], "{way}");
        let after = sum(&world);
        let allowed = [before, before + 1000, (before + 1000) * 2];
        assert!(allowed.contains(&after), "{way}: {before} became {after}");
    }
}
