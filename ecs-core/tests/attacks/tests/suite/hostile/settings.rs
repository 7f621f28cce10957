//! Limits, strategies and start nodes that lie.

use attacks::support::{caught, fail, four};
use ecs_core::inner_parallelism::{FixedThreshold, Strategy};
use ecs_core::overrides::Starts;
use ecs_core::settings::{AtomicCounter, Config, EntityLimit, InnerParallelism, Settings};
use ecs_core::{Data, LimitReached, System, Threads, World, world};
use ecs_core::{Declaration, SystemName};

struct Number(u64);

world! {
    world Parts {}
    component Number: contiguous_buffer;
    system Split { write: [Number], parallelism: Odd<0>, output: Vec<u64> }
    system Panicking { write: [Number], parallelism: FixedThreshold<100, Odd<1>, Odd<2>>, dependencies: [Split] }
    system Twice { write: [Number], parallelism: Odd<3>, dependencies: [Panicking] }
}

/// A strategy with another wrong number at each call.
struct Odd<const WAY: usize>;

impl<const WAY: usize> Strategy for Odd<WAY> {
    fn subtasks(entities: usize, cores: usize) -> usize {
        use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
        static CALLS: AtomicUsize = AtomicUsize::new(0);
        let call = CALLS.fetch_add(1, Relaxed);
        match WAY {
            0 => [0, usize::MAX, 1, entities, 7, usize::MAX / 2][call % 6],
            1 => 0,
            2 if entities == 200 => fail("subtasks"),
            2 => cores.wrapping_sub(2),
            _ => {
                // It steps a world of its own.
                let mut inner = filled::<<Parts as Declaration>::Settings>(Threads::Inline, 3);
                inner.step(|step| step.execute_systems_from::<(Nothing,)>().run()).unwrap();
                5
            }
        }
    }
}

macro_rules! bodies {
    ($($name:ident)*) => {$(
        #[derive(Default)]
        struct $name;
        impl System<Parts> for $name {
            fn process(&self, data: &mut Data<'_, Parts, Self>) {
                data.query::<&mut Number>().for_each(|number| number.0 += 1);
            }
        }
    )*};
}

bodies!(Split Panicking Twice);

/// An empty list of start nodes.
struct Nothing;

impl Starts<Parts> for Nothing {
    const NODES: &'static [usize] = &[];
}

/// Claims all systems as start nodes, and lists one.
struct AllAndOne;

impl Starts<Parts> for AllAndOne {
    const NODES: &'static [usize] = &[2];
    const ALL: bool = true;
}

/// The start node that a tuple would give.
struct ByHand;

impl Starts<Parts> for ByHand {
    const NODES: &'static [usize] = &[<Twice as SystemName<Parts>>::INDEX];
}

impl Starts<Parts> for (Nothing,) {
    const NODES: &'static [usize] = &[];
}

/// A limit and an initial capacity that are unrelated.
struct Limit<const MOST: usize, const ROOM: usize>;

impl<const MOST: usize, const ROOM: usize> EntityLimit for Limit<MOST, ROOM> {
    const FIXED: Option<usize> = if MOST == 0 { None } else { Some(MOST) };
    const INITIAL: usize = ROOM;
    // A fixed limit and storage by archetype do not compile together.
    const BY_ARCHETYPE: bool = MOST == 0;
    type Outcome<T> = Result<T, LimitReached>;

    fn outcome<T>(spawned: Result<T, LimitReached>) -> Self::Outcome<T> {
        spawned
    }
}

struct Disallow;

impl InnerParallelism for Disallow {
    const ALLOWED: bool = false;
}

/// Settings written by hand, with parts of other settings.
struct Mine;

impl Settings for Mine {
    type Limit = Limit<250, 1>;
    type Inner = Disallow;
    type Scheduler = AtomicCounter;
}

fn filled<S: Settings>(threads: Threads, count: u64) -> World<Parts, S> {
    let mut world = World::<Parts, S>::on(threads);
    world
        .step(|step| step.spawn_batch((0..count).map(|n| (Number(n),))).map(drop))
        .unwrap()
        .unwrap();
    world
}

fn numbers<S: Settings>(world: &World<Parts, S>) -> Vec<u64> {
    let mut all = Vec::new();
    world.for_each::<&Number>(|number| all.push(number.0));
    all
}

#[test]
fn splits_that_lie() {
    for threads in [Threads::Inline, four()] {
        for count in [0, 1, 63, 64, 65, 150, 200, 300, 5000] {
            let mut world = filled::<<Parts as Declaration>::Settings>(threads.clone(), count);
            let mut expected: Vec<u64> = (0..count).collect();
            for _ in 0..4 {
                let panic = caught(|| world.tick());
                let systems = if count == 200 { 1 } else { 3 };
                assert_eq!(panic.is_some(), count == 200, "{panic:?}");
                for n in &mut expected {
                    *n += systems;
                }
                assert_eq!(numbers(&world), expected);
            }
        }
    }
}

#[test]
fn starts_that_lie() {
    for threads in [Threads::Inline, four()] {
        let mut world = filled::<<Parts as Declaration>::Settings>(threads, 3);
        let mut run = |f: fn(&mut World<Parts>)| {
            let before = numbers(&world)[0];
            f(&mut world);
            numbers(&world)[0] - before
        };
        assert_eq!(
            run(|world| world.step(|step| step.execute_systems_from::<Nothing>().run()).unwrap()),
            0
        );
        assert_eq!(
            run(|world| world.step(|step| step.execute_systems_from::<AllAndOne>().run()).unwrap()),
            3
        );
        assert_eq!(
            run(|world| world.step(|step| step.execute_systems_from::<ByHand>().run()).unwrap()),
            1
        );
        let overridden = |world: &mut World<Parts>| {
            world
                .step(|step| {
                    step.execute_systems_from::<AllAndOne>()
                        .for_subtasks::<Split>(|_, _| {})
                        .systems::<(Panicking,)>()
                        .for_subtasks(Skip)
                        .run();
                })
                .unwrap();
        };
        assert_eq!(run(overridden), 1);
    }
}

struct Skip;

impl<N: SystemName<Parts>> ecs_core::overrides::ForSubtasks<Parts, N> for Skip {
    fn process(&self, _: &N::System, _: &mut Data<'_, Parts, N>) {}
}

#[test]
fn limits_that_lie() {
    fn most<S: Settings>() -> usize {
        let mut world = World::<Parts, S>::on(four());
        let count = world.step(|step| {
            while step.entity_count() < 6000 && step.spawn((Number(0),)).is_ok() {}
            step.entity_count()
        });
        world.tick().unwrap();
        assert!(numbers(&world).iter().all(|n| *n == 3));
        assert_eq!(Ok(numbers(&world).len()), count);
        count.unwrap()
    }
    type Of<const MOST: usize, const ROOM: usize> =
        Config<Limit<MOST, ROOM>, Disallow, AtomicCounter>;
    assert_eq!((most::<Mine>(), most::<Of<1, 100_000>>(), most::<Of<5000, 0>>()), (250, 1, 5000));
    assert_eq!((most::<Of<0, 1>>(), most::<Of<0, 5000>>()), (6000, 6000));
}
