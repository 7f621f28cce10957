//! A panic during a batched change: the changes before it have been made, those after it have not, and
//! nothing is lost or dropped twice.

use ecs_core::{Data, Entity, Place, System, Threads, World, world};

use crate::support::{Counted, Ledger, caught, fail};

struct Load(usize, #[expect(dead_code, reason = "only its drop counts")] Counted);
struct Rare(usize, #[expect(dead_code, reason = "only its drop counts")] Counted);
#[derive(Clone, Copy, Debug, PartialEq)]
struct Number(usize);

world! {
    world Cart { entity_limit: fixed(300) }
    component (Load, Number): contiguous_buffer;
    component Rare: hash_map;

    system Loaded { read: [Load], output: Vec<usize> }
}

#[derive(Default)]
struct Loaded;

impl System<Cart> for Loaded {
    fn process(&self, data: &mut Data<'_, Cart, Self>) {
        let Data { own, effects, .. } = data;
        own.query::<(Place, &Load)>().for_each(|(_, load)| effects.output().push(load.0));
    }
}

fn filled() -> (World<Cart>, Vec<Entity>) {
    let mut world = World::<Cart>::on(Threads::Inline);
    let all = world.step(|step| step.spawn_batch((0..200).map(|n| (Number(n),))).collect());
    (world, all.unwrap())
}

/// Checks that exactly these entities have a `Load`, by every means of access.
fn have_loads(world: &mut World<Cart>, expected: &[usize]) {
    let mut found = Vec::new();
    for (number, load) in world.iter::<(&Number, &Load)>() {
        assert_eq!(number.0, load.0);
        found.push(load.0);
    }
    assert_eq!(found, expected);
    let seen = world.step(|step| {
        step.execute_systems();
        step.outputs_of::<Loaded>().flatten().copied().collect::<Vec<_>>()
    });
    assert_eq!(seen.unwrap(), expected);
}

#[test]
fn an_iterator_that_panics_as_it_gives() {
    for at in [0, 1, 63, 64, 65, 150, 199] {
        let ledger = Ledger::default();
        let (mut world, all) = filled();
        let load = |(n, &entity)| {
            let load = Load(n, ledger.make());
            if n == at { fail("no more") } else { (entity, load) }
        };
        let loads = all.iter().enumerate().map(load);
        assert_eq!(caught(|| world.step(|step| step.insert_batch(loads))), "no more");
        assert_eq!(ledger.living(), at);
        have_loads(&mut world, &(0..at).collect::<Vec<_>>());

        let rare = |(n, &entity)| {
            let rare = Rare(n, ledger.make());
            if n == at { fail("no more") } else { (entity, rare) }
        };
        let rares = all.iter().enumerate().map(rare);
        assert_eq!(caught(|| world.step(|step| step.insert_batch(rares))), "no more");
        assert_eq!(ledger.living(), 2 * at);
        assert!((0..200).all(|n| world.get::<Rare>(all[n]).map(|r| r.0) == (n < at).then_some(n)));
        drop(world);
        assert_eq!(ledger.living(), 0);
    }
}

#[test]
fn an_iterator_that_panics_as_it_takes() {
    for at in [0, 1, 63, 64, 65, 150, 199] {
        let ledger = Ledger::default();
        let (mut world, all) = filled();
        let loads = || all.iter().enumerate().map(|(n, &e)| (e, Load(n, ledger.make())));
        let numbers = || all.iter().map(|&e| (e, Number(0)));
        let payload = caught(|| {
            world.step(|step| {
                assert_eq!(step.insert_batch(loads()), 200);
                // Again, in a step in which all have a `Load` already: the old ones are dropped.
                assert_eq!(step.insert_batch(loads()), 200);
                assert_eq!((ledger.made(), ledger.living()), (400, 200));
                let until = |(n, &e)| if n == at { fail("no more") } else { e };
                let some = all.iter().enumerate().map(until);
                // A panic that is caught within the step does not affect the rest of it.
                let payload = caught(|| step.remove_batch::<Number>(some.clone()));
                assert_eq!(payload, "no more");
                let left = all.iter().filter(|&&e| step.get::<Number>(e).is_some());
                assert_eq!(left.count(), 200 - at);
                assert_eq!(step.insert_batch(numbers()), 200);
                step.remove_batch::<Load>(some)
            })
        });
        assert_eq!(payload, "no more");
        assert_eq!(ledger.living(), 200 - at);
        let with_numbers = all.iter().enumerate().map(|(n, &e)| (e, Number(n)));
        world.step(|step| step.insert_batch(with_numbers)).unwrap();
        have_loads(&mut world, &(at..200).collect::<Vec<_>>());
        drop(world);
        assert_eq!(ledger.living(), 0);
    }
}

#[test]
fn destructors_that_panic() {
    for at in [0, 70, 199] {
        let ledger = Ledger::default();
        let (mut world, all) = filled();
        let make = |n| if n == at { ledger.bomb() } else { ledger.make() };
        let loads = || all.iter().enumerate().map(|(n, &e)| (e, Load(n, make(n))));
        world.step(|step| step.insert_batch(loads())).unwrap();
        // A bomb is replaced. The new value is in place by then.
        assert_eq!(caught(|| world.step(|step| step.insert_batch(loads()))), "bomb");
        assert_eq!((ledger.made(), ledger.living()), (200 + at + 1, 200));
        have_loads(&mut world, &(0..200).collect::<Vec<_>>());
        // The bomb is removed. It and the components before it are gone by then.
        let all_of_them = || all.iter().copied();
        let payload = caught(|| world.step(|step| step.remove_batch::<Load>(all_of_them())));
        assert_eq!(payload, "bomb");
        assert_eq!(ledger.living(), 199 - at);
        have_loads(&mut world, &(at + 1..200).collect::<Vec<_>>());
        let taken = world.step(|step| step.remove_batch::<Load>(all_of_them()));
        assert_eq!((taken, ledger.living()), (Ok(199 - at), 0));
        // A component for a despawned entity is dropped.
        world.step(|step| step.despawn(all[at])).unwrap();
        assert_eq!(caught(|| world.step(|step| step.insert_batch(loads()))), "bomb");
        assert_eq!(ledger.living(), at);
        have_loads(&mut world, &(0..at).collect::<Vec<_>>());
        drop(world);
        assert_eq!(ledger.living(), 0);
    }
}

#[test]
fn empty_batches_and_despawned_entities() {
    let ledger = Ledger::default();
    let (mut world, all) = filled();
    world.step(|step| all.iter().for_each(|&entity| step.despawn(entity))).unwrap();
    let counts = world.step(|step| {
        let loads = all.iter().map(|&e| (e, Load(0, ledger.make())));
        let rares = all.iter().map(|&e| (e, Rare(0, ledger.make())));
        [
            step.insert_batch(loads),
            step.insert_batch(rares),
            step.insert_batch([].map(|e: Entity| (e, Number(0)))),
            step.remove_batch::<Load>(all.iter().copied()),
            step.remove_batch::<Rare>(all.iter().copied()),
            step.remove_batch::<Number>([]),
        ]
    });
    assert_eq!(counts, Ok([0; 6]));
    assert_eq!((ledger.made(), ledger.living()), (400, 0));
}
