//! Storage strategies, correct and faulty: values are dropped exactly once, and a strategy that returns the
//! wrong value is reported.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use ecs_core::storage::{Metadata, StorageStrategy, Value};
use ecs_core::{BLOCK_ROWS, Component, Data, Entity, PAGE_ROWS, System, World, world};

use crate::support::{Counted, Ledger, caught, three};

/// A correct strategy. It keeps metadata and counts the entities that it was asked for.
struct Tree<C> {
    values: BTreeMap<usize, Value<C>>,
    asked: AtomicUsize,
}

impl<C: Component> StorageStrategy<C> for Tree<C> {
    type Metadata = Option<usize>;

    fn new(initial: usize) -> Self {
        assert_eq!(initial, 32);
        Self { values: BTreeMap::new(), asked: AtomicUsize::new(0) }
    }

    fn insert(&mut self, row: usize, value: Value<C>, metadata: &mut Metadata<Option<usize>>) {
        assert_eq!(value.row(), row);
        assert_eq!(metadata.get(row), None);
        metadata.set(row, Some(row));
        assert!(self.values.insert(row, value).is_none());
    }

    fn get(&self, row: usize, metadata: &Metadata<Option<usize>>) -> Option<&Value<C>> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        assert_eq!(metadata.get(row), Some(row));
        self.values.get(&row)
    }

    fn remove(&mut self, row: usize, metadata: &mut Metadata<Option<usize>>) -> Option<Value<C>> {
        assert_eq!(metadata.get(row), Some(row));
        metadata.set(row, None);
        self.values.remove(&row)
    }
}

/// Values that a number identifies.
struct InBuffer(u64, #[expect(dead_code, reason = "only its drop counts")] Counted);
struct InMap(u64, #[expect(dead_code, reason = "only its drop counts")] Counted);
struct InSet(u64, #[expect(dead_code, reason = "only its drop counts")] Counted);
struct InTree(u64, #[expect(dead_code, reason = "only its drop counts")] Counted);
struct Mark;

world! {
    world Stores { entity_limit: dynamic(32) }
    component InBuffer: contiguous_buffer;
    component InMap: hash_map;
    component InSet: sparse_set;
    component InTree: storage(Tree<InTree>);
    component Mark: empty;

    system Meet {
        parallelism: split_every(64),
        read: [InBuffer, InSet],
        write: [InMap],
        write_optional: [InTree],
        with: [Mark],
        output: Vec<u64>,
    }
}

#[derive(Default)]
struct Meet;

impl System<Stores> for Meet {
    fn process(&self, data: &mut Data<'_, Stores, Self>) {
        let Data { own, effects, .. } = data;
        own.for_entities(|e| {
            assert_eq!(e.in_set.0, e.in_buffer.0);
            e.in_map.0 += 1;
            if let Some(value) = e.in_tree {
                value.0 += 1;
                assert_eq!(value.0, e.in_map.0);
            }
            effects.output().push(e.in_buffer.0);
        });
    }
}

/// Steps once. Returns the numbers of the entities that `Meet` has met.
fn meet(world: &mut World<Stores>) -> Vec<u64> {
    let mut met = Vec::new();
    let step = world.step(|step| {
        step.execute_systems();
        step.output_parts_of::<Meet>().for_each(|output| met.extend_from_slice(output));
    });
    step.unwrap();
    met
}

#[test]
fn every_strategy_keeps_what_it_is_given() {
    let ledger = Ledger::default();
    let mut world = World::<Stores>::on(three());
    let count = PAGE_ROWS as u64 + 500;
    let entities: Vec<Entity> = world
        .step(|step| {
            let spawn = |n| {
                let stored = (InBuffer(n, ledger.make()), InMap(n, ledger.make()));
                let entity = step.spawn((stored.0, stored.1, InSet(n, ledger.make()), Mark));
                if n % 5 == 0 {
                    drop(step.insert(entity, InTree(n, ledger.make())));
                }
                entity
            };
            (0..count).map(spawn).collect()
        })
        .unwrap();
    assert_eq!(ledger.living() as u64, 3 * count + count.div_ceil(5));
    assert_eq!(meet(&mut world), (0..count).collect::<Vec<_>>());
    // A third of the entities is despawned, so that others move into their rows. Some of the rest lose a
    // component.
    world
        .step(|step| {
            for (n, &entity) in entities.iter().enumerate() {
                match n % 6 {
                    0 | 3 => step.despawn(entity),
                    1 => drop(step.remove::<Mark>(entity)),
                    2 => drop(step.remove::<InSet>(entity)),
                    // Replaces the value.
                    _ => drop(step.insert(entity, InSet(n as u64, ledger.make()))),
                }
            }
        })
        .unwrap();
    let mut met = meet(&mut world);
    met.sort_unstable();
    let expected = (0..count).filter(|n| n % 6 > 3).collect::<Vec<_>>();
    assert_eq!(met, expected);
    for (n, &entity) in entities.iter().enumerate().filter(|(n, _)| n % 3 != 0) {
        let n = n as u64;
        let times = if n % 6 > 3 { 2 } else { 1 };
        assert_eq!(world.get::<InBuffer>(entity).unwrap().0, n);
        assert_eq!(world.get::<InMap>(entity).unwrap().0, n + times);
        assert_eq!(
            world.get::<InTree>(entity).map(|value| value.0),
            n.is_multiple_of(5).then_some(n + times)
        );
        assert_eq!(world.get::<InSet>(entity).map(|value| value.0), (n % 6 != 2).then_some(n));
        assert_eq!(world.get::<Mark>(entity).is_some(), n % 6 != 1);
    }
    drop(world);
    assert_eq!(ledger.living(), 0);
}

/// The defect of a [`Faulty`] strategy.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    /// `get` returns the first value for every entity.
    Mistakes,
    /// `insert` drops the value of one row.
    Forgets,
    /// The values of all worlds lie in one static, and are never dropped.
    Shares,
    /// `remove` returns another entity's value.
    Swaps,
    /// It panics when an entity moves to another row.
    Panics,
}

struct Faulty<const FAULT: usize> {
    values: Vec<Option<&'static Value<Precious>>>,
    owned: BTreeMap<usize, Value<Precious>>,
}

const FAULTS: [Fault; 5] =
    [Fault::Mistakes, Fault::Forgets, Fault::Shares, Fault::Swaps, Fault::Panics];

static SHARED: std::sync::Mutex<Vec<&'static Value<Precious>>> = std::sync::Mutex::new(Vec::new());

impl<const FAULT: usize> StorageStrategy<Precious> for Faulty<FAULT> {
    type Metadata = ();

    fn new(_: usize) -> Self {
        Self { values: vec![None; 4 * BLOCK_ROWS], owned: BTreeMap::new() }
    }

    fn insert(&mut self, row: usize, value: Value<Precious>, _: &mut Metadata<()>) {
        match FAULTS[FAULT] {
            Fault::Shares => {
                // The first value of a row is returned in every world.
                let mut shared = SHARED.lock().unwrap();
                if shared.len() <= row {
                    shared.push(Box::leak(Box::new(value)));
                }
                self.values[row] = Some(shared[row]);
            }
            Fault::Forgets if row == 1 => {}
            Fault::Panics if row == 0 && !self.owned.is_empty() => panic!("no room"),
            _ => drop(self.owned.insert(row, value)),
        }
    }

    fn get(&self, row: usize, _: &Metadata<()>) -> Option<&Value<Precious>> {
        match FAULTS[FAULT] {
            Fault::Mistakes => self.owned.values().next(),
            Fault::Shares => self.values[row],
            _ => self.owned.get(&row),
        }
    }

    fn remove(&mut self, row: usize, _: &mut Metadata<()>) -> Option<Value<Precious>> {
        match FAULTS[FAULT] {
            Fault::Swaps => self.owned.pop_last().map(|(_, value)| value),
            _ => self.owned.remove(&row),
        }
    }
}

#[derive(Debug, PartialEq)]
struct Precious(u32);

/// A world whose only component is stored by `Faulty<$fault>`, and its test.
macro_rules! faulty {
    ($module:ident, $fault:literal, |$world:ident, $entities:ident| $test:expr) => {
        mod $module {
            use super::*;

            world! {
                pub(super) world Vault { entity_limit: dynamic(64) }
                component Precious: storage(Faulty<$fault>);
                system Polish { parallelism: split_every(64), write: [Precious] }
            }

            #[derive(Default)]
            pub(super) struct Polish;

            impl System<Vault> for Polish {
                fn process(&self, data: &mut Data<'_, Vault, Self>) {
                    data.own.for_entities(|e| e.precious.0 += 1);
                }
            }

            #[test]
            fn the_library_finds_out() {
                let mut $world = World::<Vault>::on(three());
                let $entities: Vec<Entity> = $world
                    .step(|step| (0..200).map(|n| step.spawn((Precious(n),))).collect())
                    .unwrap();
                $test
            }
        }
    };
}

/// Whether the text says that a strategy has lost a value.
fn lost(text: &str) -> bool {
    text.starts_with("the storage strategy `") && text.contains("has lost a value of `")
}

faulty!(mistaken, 0, |world, entities| {
    let text = caught(|| world.tick());
    assert!(lost(&text), "{text}");
    assert_eq!(world.get::<Precious>(entities[0]), Some(&Precious(1)));
    assert!(lost(&caught(|| world.get::<Precious>(entities[1]).map(|value| value.0))));
});

faulty!(forgotten, 1, |world, entities| {
    assert!(lost(&caught(|| world.tick())));
    assert!(lost(&caught(|| world.step(|step| step.remove::<Precious>(entities[1])))));
    // The component was lost, and is no longer expected.
    assert_eq!(world.get::<Precious>(entities[1]), None);
    world.tick().unwrap();
});

faulty!(shared, 2, |world, entities| {
    world.tick().unwrap();
    let mut second = World::<Vault>::on(three());
    let theirs = second.step(|step| step.spawn((Precious(7),))).unwrap();
    assert!(lost(&caught(|| second.get::<Precious>(theirs).map(|value| value.0))));
    assert!(lost(&caught(|| second.tick())));
    assert_eq!(world.get::<Precious>(entities[3]), Some(&Precious(4)));
});

faulty!(swapped, 3, |world, entities| {
    let removed = caught(|| world.step(|step| step.remove::<Precious>(entities[0])));
    assert!(lost(&removed), "{removed}");
    assert_eq!(world.get::<Precious>(entities[0]), None);
    // The other entity's value was lost with it.
    assert!(lost(&caught(|| world.get::<Precious>(entities[199]).map(|value| value.0))));
});

faulty!(panicking, 4, |world, entities| {
    let despawned = caught(|| world.step(|step| step.despawn(entities[0])));
    assert_eq!(despawned, "no room");
    // The moved entity has lost its component; everything else is unchanged.
    let without = entities[1..].iter().filter(|&&entity| world.get::<Precious>(entity).is_none());
    assert_eq!(without.count(), 1);
    assert_eq!(world.entity_count(), 199);
    world.tick().unwrap();
    assert_eq!(world.get::<Precious>(entities[1]), Some(&Precious(2)));
});

/// The same with an opt-in system.
mod panicking_member {
    use super::*;

    world! {
        pub(super) world Hall { entity_limit: dynamic(64) }
        component Precious: storage(Faulty<4>);
        system Polish { opt_in, write: [Precious] }
    }

    #[derive(Default)]
    pub(super) struct Polish;

    impl System<Hall> for Polish {
        fn process(&self, data: &mut Data<'_, Hall, Self>) {
            data.own.for_entities(|e| e.precious.0 += 1);
        }
    }

    #[test]
    fn who_loses_a_component_as_it_moves_is_no_member() {
        let mut world = World::<Hall>::on(three());
        let (bare, entities) = world
            .step(|step| {
                let bare = step.spawn(());
                let spawn = |n| step.spawn((Precious(n),));
                let entities: Vec<Entity> = (0..200).map(spawn).collect();
                for &entity in &entities {
                    step.subscribe::<Polish>(entity).unwrap();
                }
                (bare, entities)
            })
            .unwrap();
        // The target row belonged to an entity without the component, so nothing else has changed there.
        assert_eq!(caught(|| world.step(|step| step.despawn(bare))), "no room");
        world.tick().unwrap();
        let polished = entities.iter().filter_map(|&entity| world.get::<Precious>(entity));
        assert_eq!(polished.map(|value| value.0).collect::<Vec<_>>(), (1..200).collect::<Vec<_>>());
    }
}
