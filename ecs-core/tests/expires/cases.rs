//! Single cases: what counts, and what goes with it.

use ecs_core::time::{Countdown, Timer};
use ecs_core::{Entity, Mut, World, world};

use super::support::{caught, fail, three};

/// By a field with a name, of a byte.
#[derive(Clone, Debug, PartialEq)]
struct Poison {
    left: u8,
    strength: i32,
}
/// By a field with a number.
struct Stun(u64);
struct Shield {
    time: Timer,
}
struct Fuse(u32);
struct Frozen;
struct Health(i32);
#[derive(Default)]
struct Log(Vec<(Entity, Poison)>, Vec<Entity>);

/// How many steps it takes until `over` holds.
fn steps<D: Entries>(world: &mut World<D>, over: impl Fn(&World<D>) -> bool) -> usize {
    let ticks = (1..100).find(|_| {
        D::tick(world);
        over(world)
    });
    ticks.expect("it is over at some time")
}

/// A world that ticks, without a bound on its settings.
trait Entries: ecs_core::Declaration + Sized {
    fn tick(world: &mut World<Self>);
}

macro_rules! ticks {
    ($($World:ident)+) => {$(
        impl Entries for $World {
            fn tick(world: &mut World<Self>) {
                world.tick().expect("no error");
            }
        }
    )+};
}

world! {
    world Plain;
    component Poison: expires(left);
    component Stun: hash_map, expires(0);
    component Shield: expires(time), sparse_set;
    component Fuse: expires(0);
    component Frozen: empty;
    system Heal { expire: Poison, without: [Frozen] }
    system Wake { expire: Stun, parallelism: split_evenly(cores) }
    system Lower { expire: Shield }
    system Explode { expire: Fuse, despawn }
}
ticks! { Plain Reacting States }

#[test]
fn a_component_stays_for_as_many_steps_as_it_says() {
    let mut world = World::<Plain>::new();
    for n in 1..6 {
        let poisoned = world.spawn((Poison { left: n, strength: 0 }, Fuse(40)));
        let stunned = world.spawn((Stun(n.into()),));
        let shielded = world.spawn((Shield { time: Timer::once(n.into()) },));
        let again = world.spawn((Shield { time: Timer::repeating(n.into()).expect("not 0") },));
        for step in 1..=n {
            assert!(world.contains::<Poison>(poisoned) && world.contains::<Stun>(stunned));
            assert!(world.contains::<Shield>(shielded) && world.contains::<Shield>(again));
            world.tick().expect("no error");
            assert_eq!(world.get::<Fuse>(poisoned).map(|fuse| fuse.0), Some(40 - u32::from(step)));
        }
        assert!(!world.contains::<Poison>(poisoned) && !world.contains::<Stun>(stunned));
        assert!(!world.contains::<Shield>(shielded) && !world.contains::<Shield>(again));
    }
    assert_eq!(world.entity_count(), 20, "only components are removed");
}

#[test]
fn what_is_over_at_first_is_removed_in_the_first_step() {
    let mut world = World::<Plain>::new();
    let poisoned = world.spawn((Poison { left: 0, strength: 0 },));
    let shielded = world.spawn((Shield { time: Timer::once(0) },));
    world.tick().expect("no error");
    assert!(!world.contains::<Poison>(poisoned) && !world.contains::<Shield>(shielded));
}

#[test]
fn entities_are_despawned_beside_despawn() {
    let mut world = World::<Plain>::new();
    let entities = world.spawn_batch((0..300).map(|n| (Fuse(n % 3 + 1),)));
    for left in [200, 100, 0] {
        world.tick().expect("no error");
        assert_eq!(world.entity_count(), left);
    }
    assert!(entities.iter().all(|entity| !world.is_alive(*entity)));
}

#[test]
fn filters_pause_the_countdown() {
    let mut world = World::<Plain>::new();
    let poisoned = world.spawn((Poison { left: 3, strength: 0 }, Frozen));
    world.tick().expect("no error");
    world.tick().expect("no error");
    assert_eq!(world.get::<Poison>(poisoned).map(|poison| poison.left), Some(3));
    world.remove::<Frozen>(poisoned);
    assert_eq!(steps(&mut world, |world| !world.contains::<Poison>(poisoned)), 3);
}

#[test]
fn it_ends_in_the_middle_of_a_round_of_a_timer_that_repeats() {
    let mut timer = Timer::repeating(2).expect("not 0");
    assert_eq!([timer.count_down(), timer.count_down()], [false, true]);
    assert_eq!([timer.count_down(), timer.count_down()], [false, true]);
}

world! {
    world Reacting;
    component Health;
    component Poison: expires(left);
    resource Log;
    system Bite {
        insert: [Poison],
        each: |entity: Entity, health: &Health, effects| {
            if health.0 == 7 {
                effects.insert(entity, Poison { left: 2, strength: 1 });
            }
        },
    }
    system Suffer {
        dependencies: [Bite],
        each: |health: &mut Health, poison: &Poison| health.0 -= poison.strength,
    }
    system Wear { expire: Poison, dependencies: [Suffer] }
    system See {
        sees: [Wear.remove],
        removed: [Poison],
        read: [Poison],
        changed: [Poison],
        write_resources: [Log],
        run: |data| {
            let log = data.resources.get_mut::<Log>();
            log.0.extend(data.own.removed::<Poison>().map(|(entity, poison)| (entity, poison.clone())));
            log.1.extend(data.own.changed::<Poison, Entity>());
        },
    }
}

#[test]
fn readers_see_the_removal_and_the_changes() {
    let mut world = World::<Reacting>::new();
    let bitten = world.spawn((Health(10), Poison { left: 3, strength: 2 }));
    let well = world.spawn((Health(10),));
    for (health, removed, changed) in [(8, 0, 1), (6, 0, 1), (4, 1, 0), (4, 0, 0)] {
        world.tick().expect("no error");
        assert_eq!(world.get::<Health>(bitten).map(|health| health.0), Some(health));
        let log = std::mem::take(world.resource_mut::<Log>());
        assert_eq!(log.0, vec![(bitten, Poison { left: 0, strength: 2 }); removed]);
        assert_eq!(log.1, vec![bitten; changed]);
    }
    assert_eq!(world.get::<Health>(well).map(|health| health.0), Some(10));
}

#[test]
fn the_order_of_systems_says_whether_an_insertion_or_the_removal_counts() {
    let mut world = World::<Reacting>::new();
    // `Bite` inserts in the step in which the poison is over, and `Wear` removes after that.
    let over = world.spawn((Health(7), Poison { left: 1, strength: 1 }));
    let bitten = world.spawn((Health(7),));
    world.tick().expect("no error");
    assert!(!world.contains::<Poison>(over) && world.contains::<Poison>(bitten));
    // Its health is the same in the second step, so it is bitten once more, and has the poison for two further steps.
    assert_eq!(steps(&mut world, |world| !world.contains::<Poison>(bitten)), 3);
    assert_eq!(world.get::<Health>(bitten).map(|health| health.0), Some(4));
}

#[derive(Default)]
struct Calm(bool);

world! {
    world States;
    component Poison: expires(left);
    component Stun, Fuse: expires(0);
    resource Calm;
    state Mode { Playing, Paused }
    system Work { in: Mode::Playing, expire: Poison }
    system Rouse { every: 3, expire: Stun }
    system Burn { run_if: |calm: &Calm| !calm.0, expire: Fuse }
}

#[test]
fn a_system_that_does_not_run_counts_nothing_down() {
    let mut world = World::<States>::new();
    let entity = world.spawn((Poison { left: 3, strength: 0 }, Stun(2), Fuse(2)));
    world.set_state(Mode::Paused);
    world.resource_mut::<Calm>().0 = true;
    for _ in 0..4 {
        world.tick().expect("no error");
    }
    assert_eq!(world.get::<Poison>(entity).map(|poison| poison.left), Some(3));
    assert_eq!(world.get::<Fuse>(entity).map(|fuse| fuse.0), Some(2));
    assert!(!world.contains::<Stun>(entity), "the first and the fourth execution count it down");
    world.set_state(Mode::Playing);
    world.resource_mut::<Calm>().0 = false;
    assert_eq!(steps(&mut world, |world| !world.contains::<Fuse>(entity)), 2);
    assert_eq!(steps(&mut world, |world| !world.contains::<Poison>(entity)), 1);
}

/// A countdown that panics when it comes to 2, as long as it may.
struct Faulty(u32, bool);

impl Countdown for Faulty {
    fn count_down(&mut self) -> bool {
        if self.0 == 2 && std::mem::take(&mut self.1) {
            fail("countdown");
        }
        self.0.count_down()
    }
}

struct Bomb(Faulty);

world! {
    world Fault;
    component Bomb: expires(0);
    system Tick { expire: Bomb, parallelism: split_evenly(2) }
}

#[test]
fn a_panic_of_a_countdown_removes_nothing() {
    let mut world = World::<Fault>::on(three());
    let bombs = world.spawn_batch((0..200).map(|n| (Bomb(Faulty(1 + n % 2, n == 151)),)));
    assert_eq!(caught(|| world.tick()), "countdown");
    assert!(bombs.iter().all(|bomb| world.contains::<Bomb>(*bomb)), "what is staged is dropped");
    for left in [25, 0] {
        world.tick().expect("no error");
        assert_eq!(world.iter::<&Bomb>().count(), left, "those from the panic on lack a step");
    }
}

/// What is written by hand beside it.
#[test]
fn other_systems_write_the_field() {
    struct Heat(u16);
    world! {
        world Oven;
        component Heat: expires(0);
        system Cool { expire: Heat }
        system Ask { read: [Heat], changed: [Heat], run: |_| {}, dependencies: [Cool] }
        system Stoke { each: |mut heat: Mut<Heat>| heat.0 += 1, dependencies: [Ask] }
    }
    let mut world = World::<Oven>::new();
    let oven = world.spawn((Heat(2),));
    for _ in 0..10 {
        world.tick().expect("no error");
        assert_eq!(world.get::<Heat>(oven).map(|heat| heat.0), Some(2));
    }
}
