//! Storage under a fixed and under a dynamic limit. The kind of limit is known when the program is compiled.

use ecs_core::settings::{Allow, AtomicCounter, Config, Dynamic, Fixed, Settings};
use ecs_core::storage::{Metadata, StorageStrategy, Value};
use ecs_core::{Component, Data, Entity, System, World, world};

use crate::support::three;

/// A slot per row. Under a fixed limit all slots are allocated at once, and the vector never grows.
struct Slots<C> {
    slots: Vec<Option<Value<C>>>,
    grows: bool,
}

impl<C: Component> StorageStrategy<C> for Slots<C> {
    type Metadata = ();

    fn new(initial: usize) -> Self {
        assert_eq!(initial, 8, "the room at first");
        Self { slots: Vec::new(), grows: true }
    }

    fn fixed(limit: usize) -> Self {
        assert_eq!(limit, 500, "the limit");
        Self { slots: (0..limit).map(|_| None).collect(), grows: false }
    }

    fn insert(&mut self, row: usize, value: Value<C>, _: &mut Metadata<()>) {
        if self.grows && self.slots.len() <= row {
            self.slots.resize_with(row + 1, || None);
        }
        assert!(self.slots[row].replace(value).is_none());
    }

    fn get(&self, row: usize, _: &Metadata<()>) -> Option<&Value<C>> {
        self.slots[row].as_ref()
    }

    fn remove(&mut self, row: usize, _: &mut Metadata<()>) -> Option<Value<C>> {
        self.slots[row].take()
    }
}

#[derive(Debug, PartialEq)]
struct Cargo(u64);
#[derive(Debug, PartialEq)]
struct Crew(u64);
struct Plain(u64);

world! {
    world Fleet { entity_limit: fixed(500) }
    component (Cargo, Crew): storage(Slots<_>);
    component Plain: contiguous_buffer;
    system Load { parallelism: split_every(64), read: [Plain], write: [Cargo, Crew] }
    system Sink { dependencies: [Load], read: [Cargo], despawn }
}

#[derive(Default)]
struct Load;

impl System<Fleet> for Load {
    fn process(&self, data: &mut Data<'_, Fleet, Self>) {
        data.own.for_entities(|e| {
            e.cargo.0 += e.plain.0;
            e.crew.0 += 1;
        });
    }
}

#[derive(Default)]
struct Sink;

impl System<Fleet> for Sink {
    fn process(&self, data: &mut Data<'_, Fleet, Self>) {
        let Data { own, effects, .. } = data;
        own.for_entities(|e| {
            if e.cargo.0 % 7 == 0 {
                effects.despawn(e.entity);
            }
        });
    }
}

/// The world after some steps that spawn and despawn entities, with at most `most` at once: the live
/// entities, each with its cargo and crew.
fn run<S: Settings>(most: usize) -> Vec<(Entity, u64, u64)> {
    let mut world = World::<Fleet, S>::on(three());
    for round in 0..12 {
        let spawned = world.step(|step| {
            let room = most - step.entity_count();
            for n in 0..room as u64 {
                step.spawn((Cargo(n), Crew(0), Plain(n + round)));
            }
        });
        spawned.unwrap();
        assert_eq!(world.entity_count(), most);
        world.tick().unwrap();
    }
    let mut all = Vec::new();
    for (entity, cargo, crew) in world.iter::<(Entity, &Cargo, &Crew)>() {
        all.push((entity, cargo.0, crew.0));
    }
    all
}

#[test]
fn a_strategy_is_made_for_the_kind_of_limit() {
    type Growing = Config<Dynamic<8>, Allow, AtomicCounter>;
    let fixed = run::<<Fleet as ecs_core::Declaration>::Settings>(500);
    assert!((1..500).contains(&fixed.len()));
    assert_eq!(run::<Growing>(500), fixed);
    assert_eq!(run::<Config<Fixed<500>, Allow, AtomicCounter>>(500), fixed);
}

#[test]
fn a_full_world_is_full_of_values() {
    let mut world = World::<Fleet>::new();
    let (last, refused) = world
        .step(|step| {
            let last = (0..500).map(|n| step.spawn((Cargo(n), Plain(0)))).last().unwrap();
            (last, step.remaining_capacity() == 0)
        })
        .unwrap();
    assert!(refused);
    assert_eq!(world.get::<Cargo>(last), Some(&Cargo(499)));
}

#[cfg(unix)]
mod refused {
    //! Limits that take more memory than the system gives.

    use std::env;
    use std::process::Command;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    use ecs_core::settings::{Allow, AtomicCounter, Config, Dynamic, Fixed};
    use ecs_core::{Entity, Threads, World, world};

    struct Place([f32; 3]);

    world! {
        world Large;
        component Place;
    }

    const LARGEST: usize = (1 << 31) - 1;

    type Unlimited = World<Large, Config<Dynamic<1>, Allow, AtomicCounter>>;
    type Limited = World<Large, Config<Fixed<LARGEST>, Allow, AtomicCounter>>;

    /// Set in the process in which `attempt` runs under a limit.
    const LIMITED: &str = "ECS_TEST_ADDRESS_SPACE";

    /// Makes the largest world, and then one that fits.
    #[test]
    fn attempt() {
        if env::var_os(LIMITED).is_none() {
            return;
        }
        let panic = std::panic::catch_unwind(|| drop(Limited::new())).expect_err("it is too large");
        let text = panic.downcast_ref::<String>().expect("a text");
        assert!(text.contains("the system refuses 21474836"), "{text}");
        assert!(text.contains("lower `entity_limit`"), "{text}");
        // Nothing of it is left, so that the next world has room.
        for _ in 0..3 {
            let mut world = Unlimited::new();
            world.spawn_batch((0..1_000_000).map(|n| (Place([n as f32; 3]),)));
            let last = world.iter::<&Place>().last().map(|place| place.0[2]);
            assert_eq!(last, Some(999_999.0));
        }
    }

    /// How many there are.
    static CARGOES: AtomicUsize = AtomicUsize::new(0);

    /// A page of memory.
    struct Cargo([u64; 512]);

    impl Cargo {
        fn new(first: u64) -> Self {
            CARGOES.fetch_add(1, Relaxed);
            Self([first; 512])
        }
    }

    impl Drop for Cargo {
        fn drop(&mut self) {
            CARGOES.fetch_sub(1, Relaxed);
        }
    }

    /// How many entities the system spawns.
    #[derive(Default)]
    struct Orders(u64);

    world! {
        world Port;
        component Cargo;
        resource Orders;
        system Load {
            spawn: [(Cargo,)],
            run: |effects, orders: &Orders| (0..orders.0).for_each(|n| effects.spawn((Cargo::new(n),))),
        }
    }

    /// More than fit.
    const MANY: u64 = 1 << 20;

    /// Grows worlds by more than fits.
    #[test]
    fn grow() {
        if env::var_os(LIMITED).is_none() {
            return;
        }
        let refusal = |grow: &mut dyn FnMut()| {
            let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(grow));
            let panic = panic.expect_err("it is too large");
            let text = panic.downcast_ref::<String>().expect("a text");
            assert!(text.contains("the system refuses"), "{text}");
            assert!(text.contains("keep fewer entities"), "{text}");
        };
        let mut world = World::<Port>::on(Threads::Inline);
        world.spawn_batch((0..100).map(|n| (Cargo::new(n),)));
        let whole = |world: &World<Port>, count: usize| {
            let cargoes = world.iter::<&Cargo>().count();
            assert_eq!(
                (world.entity_count(), cargoes, CARGOES.load(Relaxed)),
                (count, count, count)
            );
            assert!(world.iter::<&Cargo>().all(|cargo| cargo.0[0] == cargo.0[511]));
        };
        // A system's spawns are dropped, as after any panic.
        world.resource_mut::<Orders>().0 = MANY;
        refusal(&mut || {
            let _ = world.tick();
        });
        whole(&world, 100);
        // Of a batch no entity is spawned.
        refusal(&mut || drop(world.spawn_batch((0..MANY).map(|n| (Cargo::new(n),)))));
        whole(&world, 100);
        // Entities that were spawned one by one stay, and the world goes on.
        let mut spawned = 100;
        refusal(&mut || {
            let _ = world.step(|step| {
                for n in 0..MANY {
                    step.spawn((Cargo::new(n),));
                    spawned += 1;
                }
            });
        });
        assert!(spawned > 1_000);
        whole(&world, spawned);
        world.step(|step| step.entity_count()).unwrap();
        for _ in 0..3 {
            world.resource_mut::<Orders>().0 = 0;
            let entities: Vec<_> = world.iter::<Entity>().skip(50).collect();
            world.step(|step| entities.iter().for_each(|&entity| step.despawn(entity))).unwrap();
            whole(&world, 50);
            world.resource_mut::<Orders>().0 = 200;
            world.tick().unwrap();
            whole(&world, 250);
        }
        drop(world);
        assert_eq!(CARGOES.load(Relaxed), 0);
    }

    /// Runs a test of this file in a process of its own, which has no more than this many kilobytes of address space.
    fn limited(test: &str, kilobytes: usize) {
        // Sanitizers take more address space than the limit before the test begins.
        if ["ASAN_OPTIONS", "TSAN_OPTIONS"].into_iter().any(|name| env::var_os(name).is_some()) {
            eprintln!("skipped under a sanitizer");
            return;
        }
        let this = env::current_exe().expect("the program has a path");
        let command = format!(
            "ulimit -v {kilobytes} && exec \"$0\" --exact storage::storage_limits::refused::{test}"
        );
        let attempt = Command::new("sh").args(["-c", &command]).arg(this).env(LIMITED, "").output();
        let attempt = attempt.expect("a shell");
        let [text, errors] =
            [&attempt.stdout, &attempt.stderr].map(|text| String::from_utf8_lossy(text));
        assert!(attempt.status.success() && text.contains("1 passed"), "{text}{errors}");
    }

    #[test]
    fn a_new_world_panics_and_leaves_nothing_if_its_memory_is_refused() {
        limited("attempt", 2_000_000);
    }

    #[test]
    fn a_world_that_grows_panics_and_loses_nothing_if_its_memory_is_refused() {
        limited("grow", 1_000_000);
    }
}
