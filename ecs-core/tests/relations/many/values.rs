//! Values of links are dropped once, whatever their destructors do.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ecs_core::{Entity, World, world};

use super::super::support::{Counted, Ledger, caught};

/// The value is dropped by the library alone.
struct Bond(#[expect(dead_code, reason = "it is there to be dropped")] Counted);

struct Mark(Ledger, bool);

world! {
    world Market {}
    component Mark;
    relation Bond: many_to_many, on_despawn: despawn;
    system Trade {
        parallelism: split_every(64),
        read: [Mark],
        link: [Bond],
        run: |data| for (entity, mark) in data.own.query::<(Entity, &Mark)>() {
            data.effects.insert_link(entity, entity, Bond(mark.0.make()));
            assert!(!mark.1, "told to");
        },
    }
}

struct Ask(Ledger, [Entity; 2]);
struct Guest;

world! {
    world Fair {}
    component Ask, Guest;
    relation Bond: many_to_many, on_despawn: detach;
    system Meet {
        read: [Ask],
        spawn: [Guest],
        link: [Bond],
        run: |data| for ask in data.own.query::<&Ask>() {
            let Ask(ledger, [a, b]) = ask;
            data.effects.insert_link(*a, *b, Bond(ledger.make()));
            let guest = data.effects.spawn_pending((Guest,));
            data.effects.insert_link(guest, *a, Bond(ledger.make()));
        },
    }
}

fn five(ledger: &Ledger) -> (World<Market>, [Entity; 5]) {
    let mut world = World::new();
    let all = [(); 5].map(|()| world.spawn(()));
    for pair in all.windows(2) {
        world.insert_link(pair[0], pair[1], Bond(ledger.make())).unwrap();
    }
    (world, all)
}

#[test]
fn each_value_is_dropped_once() {
    let ledger = Ledger::default();
    let (mut world, [a, b, c, d, e]) = five(&ledger);
    assert_eq!(ledger.living(), 4);
    // Replaced, and the first of two.
    world
        .step(|step| {
            step.insert_link(a, b, Bond(ledger.make()));
            step.insert_link(a, b, Bond(ledger.make()));
        })
        .unwrap();
    assert_eq!((ledger.living(), ledger.made()), (4, 6));
    world.remove_link::<Bond>(a, b);
    assert_eq!(ledger.living(), 3);
    // Linked, unlinked and linked again in one step.
    world
        .step(|step| {
            step.insert_link(a, b, Bond(ledger.make()));
            step.remove_link::<Bond>(a, b);
            step.insert_link(a, b, Bond(ledger.make()));
            step.insert_link(a, c, Bond(ledger.make()));
            step.remove_link::<Bond>(a, c);
        })
        .unwrap();
    assert_eq!(ledger.living(), 4);
    // With the one on which `a` to `c` depend.
    assert!(world.despawn(d));
    assert_eq!((world.entity_count(), ledger.living()), (1, 0));
    assert!(world.insert_link(e, a, Bond(ledger.make())).is_err());
    assert_eq!(ledger.living(), 0);
    world.insert_link(e, e, Bond(ledger.make())).unwrap();
    drop(world);
    assert_eq!(ledger.living(), 0);
}

#[test]
fn what_is_staged_is_dropped_after_a_panic() {
    let ledger = Ledger::default();
    let (mut world, _) = five(&ledger);
    let marked: Vec<Entity> =
        world.spawn_batch((0..200).map(|n| (Mark(ledger.clone(), n == 150),)));
    assert_eq!(caught(|| world.tick().unwrap()), "told to");
    assert_eq!(ledger.living(), 4);
    world.despawn(marked[150]);
    world.tick().unwrap();
    assert_eq!(ledger.living(), 4 + 199);
    // Staged by the program.
    let panicked = caught(|| {
        let _ = world.step(|step| {
            step.insert_link(marked[0], marked[1], Bond(ledger.make()));
            panic!("told to");
        });
    });
    assert_eq!(panicked, "told to");
    assert_eq!(ledger.living(), 4 + 199);
}

#[test]
fn a_destructor_that_panics_hinders_nothing() {
    for end in 0..5 {
        let ledger = Ledger::default();
        let (mut world, [a, b, c, d, e]) = five(&ledger);
        for pair in [(a, c), (b, d), (e, e)] {
            world.insert_link(pair.0, pair.1, Bond(ledger.bomb())).unwrap();
        }
        let links = |world: &World<Market>| -> usize {
            world.iter::<Entity>().map(|one| world.targets::<Bond>(one).len()).sum()
        };
        assert_eq!(links(&world), 7);
        let panicked = caught(|| match end {
            0 => world.remove_link::<Bond>(a, c),
            1 => world.insert_link(a, c, Bond(ledger.make())).unwrap(),
            // With all others.
            2 => drop(world.despawn(e)),
            3 => drop(world.despawn(b)),
            _ => drop(std::mem::replace(&mut world, World::new())),
        });
        assert_eq!(panicked, "bomb", "{end}");
        let left = [6, 7, 0, 3, 0][end];
        assert_eq!((links(&world), ledger.living()), (left, left), "{end}");
        if world.is_alive(d) {
            world.insert_link(d, c, Bond(ledger.make())).unwrap();
            assert_eq!(links(&world), left + 1);
        }
        let _ = catch_unwind(AssertUnwindSafe(|| drop(world)));
        assert_eq!(ledger.living(), 0);
    }
}

#[test]
fn a_destructor_that_panics_drops_no_links_of_what_is_spawned() {
    let ledger = Ledger::default();
    let mut world = World::<Fair>::new();
    let both = [(); 2].map(|()| world.spawn(()));
    world.insert_link(both[0], both[1], Bond(ledger.bomb())).unwrap();
    world.spawn((Ask(ledger.clone(), both),));
    assert_eq!(caught(|| world.tick()), "bomb");
    assert_eq!((world.sources::<Bond>(both[0]).len(), ledger.living()), (1, 2));
}
