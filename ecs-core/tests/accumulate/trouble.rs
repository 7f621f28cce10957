//! Panics of merges and of bodies, chains, phases and tracked components.

use ecs_core::{Accumulate, Entity, Threads, World, world};

use crate::support::{Counted, Ledger, caught, fail, pools};

struct Aim(Entity, u32);

/// Fails if it gets 13, and counts its drops.
struct Picky(u32, #[expect(dead_code, reason = "its drops are counted")] Counted);

impl Accumulate for Picky {
    fn accumulate(&mut self, other: Self) {
        if other.0 == 13 {
            fail("unlucky");
        }
        self.0 += other.0;
    }
}

struct Tally(u32);

struct Books(Ledger);

impl Accumulate for Tally {
    fn accumulate(&mut self, other: Self) {
        self.0 += other.0;
    }
}

world! {
    world Trouble {}
    component Aim, Picky;
    component Tally: hash_map;
    resource Books = Books(Ledger::default());
    system Hit {
        read: [Aim], accumulate: [Picky, Tally], read_resources: [Books], parallelism: split_every(64),
        run: |data| {
            let books = data.resources.get::<Books>();
            data.own.for_entities(|e| {
                data.effects.accumulate(e.aim.0, Picky(e.aim.1, books.0.make()));
                data.effects.accumulate(e.aim.0, Tally(e.aim.1));
                if e.aim.1 == 99 {
                    fail("body");
                }
            });
        },
    }
}

#[test]
fn a_panic_of_a_merge_leaves_the_others() {
    for threads in [Threads::Inline].iter().chain(pools()) {
        let mut world = World::<Trouble>::on(threads.clone());
        let target = world.spawn(());
        let other = world.spawn(());
        world.spawn_batch((0..200).map(|n| {
            (Aim(
                if n % 2 == 0 { target } else { other },
                if n == 101 || n == 150 { 13 } else { 1 },
            ),)
        }));
        let books = world.resource::<Books>().0.clone();
        assert_eq!(caught(|| world.tick()), "unlucky");
        let of =
            |entity| (world.get::<Picky>(entity).unwrap().0, world.get::<Tally>(entity).unwrap().0);
        assert_eq!((of(target), of(other)), ((99, 112), (99, 112)));
        drop(world);
        assert_eq!(books.living(), 0);
    }
}

#[test]
fn a_panic_of_a_body_drops_what_is_staged() {
    let mut world = World::<Trouble>::new();
    let target = world.spawn(());
    world.spawn_batch([1, 2, 99, 3].map(|n| (Aim(target, n),)));
    let books = world.resource::<Books>().0.clone();
    assert_eq!(caught(|| world.tick()), "body");
    assert!(world.get::<Picky>(target).is_none() && world.get::<Tally>(target).is_none());
    drop(world);
    assert_eq!(books.living(), 0);
}

#[derive(Clone)]
struct Seen(u32);

struct Heat(u32);

impl Accumulate for Heat {
    fn accumulate(&mut self, other: Self) {
        self.0 += other.0;
    }
}

struct Warm(Vec<Entity>);

world! {
    world Phases { staged_changes: refresh_before_dependents }
    component Aim, Heat, Seen;
    resource Warm = Warm(Vec::new());
    system Sun { read: [Aim], accumulate: [Heat], each: |e, effects| effects.accumulate(e.aim.0, Heat(e.aim.1)) }
    // Reads what `Sun` has accumulated, so there is a refresh before it.
    system Look { read: [Heat], write: [Seen], dependencies: [Sun], each: |e| e.seen.0 = e.heat.0 }
    // In another phase than `Sun`, and without an order: that of the phases counts.
    system Lamp {
        read: [Aim], accumulate: [Heat], dependencies: [Look],
        each: |e, effects| effects.accumulate(e.aim.0, Heat(1000)),
    }
    system Feel {
        read: [Heat], changed: [Heat], write_resources: [Warm],
        run: |data| {
            let warm = data.own.changed::<Heat, Entity>().collect();
            data.resources.get_mut::<Warm>().0 = warm;
        },
        dependencies: [Lamp],
    }
}

#[test]
fn a_later_phase_sees_what_was_merged() {
    let mut world = World::<Phases>::new();
    let [one, two] = [0, 0].map(|n| world.spawn((Seen(n),)));
    world.spawn_batch([(one, 1), (two, 2), (one, 3)].map(|(at, n)| (Aim(at, n),)));
    world.tick().unwrap();
    assert_eq!([one, two].map(|at| world.get::<Seen>(at).unwrap().0), [4, 2]);
    assert_eq!([one, two].map(|at| world.get::<Heat>(at).unwrap().0), [2004, 1002]);
    world.tick().unwrap();
    assert_eq!([one, two].map(|at| world.get::<Seen>(at).unwrap().0), [2008, 1004]);
}

#[test]
fn what_is_merged_is_marked_as_changed() {
    let mut world = World::<Phases>::new();
    let targets = [0, 0, 0].map(|n| world.spawn((Seen(n), Heat(0))));
    world.tick().unwrap();
    world.spawn((Aim(targets[1], 5),));
    world.tick().unwrap();
    assert_eq!(world.resource::<Warm>().0, [targets[1]]);
}
