//! Storage strategies that forget, confuse and hand over values, panic and re-enter.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use attacks::support::{caught, fail, four};
use ecs_core::storage::{Metadata, SparseSetStorage, StorageStrategy, Value};
use ecs_core::{Data, Entity, StateHash, StateHasher, System, Threads, World, world};

use super::counted::{Counted, Living};

impl StateHash for Counted {
    fn state_hash(&self, hasher: &mut StateHasher) {
        self.0.state_hash(hasher);
    }
}

/// The fault of a strategy. It applies to all worlds of this file, so there is one test.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(usize)]
enum Fault {
    Nothing,
    InsertForgets,
    InsertDrops,
    InsertHandsOver,
    InsertMistakesRows,
    InsertPanicsFirst,
    InsertPanicsThen,
    InsertSteps,
    GetFindsNothing,
    GetFindsAnother,
    GetFindsLeaked,
    GetPanics,
    GetSteps,
    RemoveFindsNothing,
    RemoveFindsAnother,
    RemoveFindsHandedOver,
    RemovePanicsFirst,
    RemovePanicsThen,
    RemoveSteps,
    Scrambles,
}

use Fault::{
    GetFindsAnother, GetFindsLeaked, GetFindsNothing, GetPanics, GetSteps, InsertDrops,
    InsertForgets, InsertHandsOver, InsertMistakesRows, InsertPanicsFirst, InsertPanicsThen,
    InsertSteps, Nothing, RemoveFindsAnother, RemoveFindsHandedOver, RemoveFindsNothing,
    RemovePanicsFirst, RemovePanicsThen, RemoveSteps, Scrambles,
};

const FAULTS: [Fault; 20] = [
    Nothing,
    InsertForgets,
    InsertDrops,
    InsertHandsOver,
    InsertMistakesRows,
    InsertPanicsFirst,
    InsertPanicsThen,
    InsertSteps,
    GetFindsNothing,
    GetFindsAnother,
    GetFindsLeaked,
    GetPanics,
    GetSteps,
    RemoveFindsNothing,
    RemoveFindsAnother,
    RemoveFindsHandedOver,
    RemovePanicsFirst,
    RemovePanicsThen,
    RemoveSteps,
    Scrambles,
];

static FAULT: AtomicUsize = AtomicUsize::new(Nothing as usize);
/// Values that strategies have kept instead of returning them.
static HANDED_OVER: Mutex<Vec<Value<Counted>>> = Mutex::new(Vec::new());
/// Values that are shared forever.
static LEAKED: Mutex<Vec<&'static Value<Counted>>> = Mutex::new(Vec::new());
/// All values that were ever leaked: they stay reachable, so a leak checker finds only other leaks.
static REACHABLE: Mutex<Vec<&'static Value<Counted>>> = Mutex::new(Vec::new());
/// The number of values that are never dropped.
static FORGOTTEN: AtomicUsize = AtomicUsize::new(0);

fn fault() -> Fault {
    FAULTS[FAULT.load(Relaxed)]
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Keeps the value forever.
fn leak(value: Value<Counted>) -> &'static Value<Counted> {
    FORGOTTEN.fetch_add(1, Relaxed);
    let value: &'static Value<Counted> = Box::leak(Box::new(value));
    locked(&REACHABLE).push(value);
    value
}

/// Steps another world of the same declaration, with honest strategies.
fn nest() {
    let before = FAULT.swap(Nothing as usize, Relaxed);
    let living = Living::default();
    let mut world = filled(Threads::Inline, &living, 3);
    world.tick().unwrap();
    drop(world);
    assert_eq!(living.count(), 0);
    FAULT.store(before, Relaxed);
}

/// A strategy with the current fault, on top of an honest one.
struct Vault(SparseSetStorage<Counted>);

impl StorageStrategy<Counted> for Vault {
    type Metadata = u32;

    fn new(initial: usize) -> Self {
        Self(SparseSetStorage::new(initial))
    }

    fn insert(&mut self, row: usize, value: Value<Counted>, metadata: &mut Metadata<u32>) {
        match fault() {
            InsertForgets => {
                leak(value);
            }
            InsertDrops => drop(value),
            InsertHandsOver => locked(&HANDED_OVER).push(value),
            InsertMistakesRows => self.0.insert(row ^ 1, value, metadata),
            InsertPanicsFirst => fail("insert"),
            InsertPanicsThen => {
                self.0.insert(row, value, metadata);
                fail("inserted");
            }
            GetFindsLeaked => {
                locked(&LEAKED).push(leak(value));
            }
            Scrambles => {
                self.0.insert(row, value, metadata);
                (0..300).for_each(|row| metadata.set(row, 1));
            }
            other => {
                if other == InsertSteps {
                    nest();
                }
                self.0.insert(row, value, metadata);
            }
        }
    }

    fn get(&self, row: usize, metadata: &Metadata<u32>) -> Option<&Value<Counted>> {
        match fault() {
            GetFindsNothing => return None,
            GetFindsAnother => return self.0.get(row ^ 1, metadata),
            GetFindsLeaked => return locked(&LEAKED).iter().copied().rev().nth(row % 3),
            GetPanics => fail("get"),
            GetSteps => nest(),
            _ => {}
        }
        self.0.get(row, metadata)
    }

    fn remove(&mut self, row: usize, metadata: &mut Metadata<u32>) -> Option<Value<Counted>> {
        match fault() {
            RemoveFindsNothing => return None,
            RemoveFindsAnother => return self.0.remove(row ^ 1, metadata),
            RemoveFindsHandedOver => return locked(&HANDED_OVER).pop(),
            RemovePanicsFirst => fail("remove"),
            RemovePanicsThen => {
                drop(self.0.remove(row, metadata));
                fail("removed");
            }
            RemoveSteps => nest(),
            _ => {}
        }
        self.0.remove(row, metadata)
    }
}

/// The number of the entity, which is also that of its value.
#[derive(Clone, StateHash)]
struct Number(u64);

world! {
    world Bank {}
    component Number: contiguous_buffer;
    component Counted: storage(Vault);
    system Look { write: [Counted], read: [Number], parallelism: split_evenly(3) }
    system Change { read: [Number], despawn, insert: [Counted], remove: [Counted], dependencies: [Look] }
}

#[derive(Default)]
struct Look;
#[derive(Default)]
struct Change;

impl System<Bank> for Look {
    fn process(&self, data: &mut Data<'_, Bank, Self>) {
        data.own.for_entities(|e| assert_eq!(e.counted.0, e.number.0, "a value of another entity"));
    }
}

impl System<Bank> for Change {
    fn process(&self, data: &mut Data<'_, Bank, Self>) {
        let Data { own, effects, .. } = data;
        own.for_entities(|e| match e.number.0 % 5 {
            0 => effects.remove::<Counted>(e.entity),
            1 => effects.despawn(e.entity),
            _ => {}
        });
    }
}

fn filled(threads: Threads, living: &Living, count: u64) -> World<Bank> {
    let mut world = World::<Bank>::on(threads);
    world
        .step(|step| {
            step.spawn_batch((0..count).map(|n| (Number(n),)));
        })
        .unwrap();
    let all = entities(&world);
    world
        .step(|step| {
            for (&entity, n) in all.iter().zip(0..) {
                let _ = caught(|| step.insert(entity, living.value(n)).map(drop));
            }
        })
        .unwrap();
    world
}

fn entities(world: &World<Bank>) -> Vec<Entity> {
    let mut all = Vec::new();
    for entity in world.iter::<Entity>() {
        all.push(entity);
    }
    all
}

/// Performs every operation that accesses values, and checks the values that it sees.
fn exercise(world: &mut World<Bank>, living: &Living) {
    let all = entities(world);
    for &entity in all.iter().take(4) {
        let number = world.get::<Number>(entity).unwrap().0;
        let _ = caught(|| {
            if let Some(value) = world.get::<Counted>(entity) {
                assert_eq!(value.0, number);
            }
        })
        .is_some_and(|message| assert_not_mistaken(&message));
    }
    let attempt = |world: &mut World<Bank>, number: usize| {
        let (a, b) = (all[0], all[all.len() - 1]);
        match number {
            0 => world.step(|step| step.execute_systems_from::<(Look,)>()).unwrap(),
            1 => drop(world.step(|step| step.insert(a, living.value(0)))),
            2 => drop(world.step(|step| step.remove::<Counted>(b))),
            3 => world.step(|step| step.despawn(all[all.len() / 2])).unwrap(),
            4 => drop(world.clone()),
            5 => {
                let snapshot = world.snapshot();
                world.restore(&snapshot).unwrap();
            }
            6 => {
                let _ = world.state_hash();
            }
            7 => drop(world.step(|step| {
                step.spawn_batch((0..70).map(|n| (living.value(n), Number(n))));
            })),
            8 => world.tick().unwrap(),
            _ => drop(world.step(|step| {
                let pairs = all.iter().map(|&entity| (entity, living.value(0)));
                step.insert_batch::<Counted>(pairs);
                step.remove_batch::<Counted>(all.iter().copied())
            })),
        }
    };
    for number in 0..10 {
        if let Some(message) = caught(|| attempt(world, number)) {
            assert_not_mistaken(&message);
        }
    }
}

/// Asserts that a value of another entity is never returned: the library reports instead that the value is lost.
fn assert_not_mistaken(message: &str) -> bool {
    let ours = ["insert", "inserted", "get", "remove", "removed"];
    assert!(ours.contains(&message) || message.contains("has lost a value of"), "{message}");
    true
}

#[test]
fn strategies_that_lie() {
    for (threads, then) in [
        (Threads::Inline, None),
        (Threads::Inline, Some(RemoveFindsHandedOver)),
        (Threads::Inline, Some(GetFindsLeaked)),
        (four(), Some(Nothing)),
    ] {
        for &first in &FAULTS {
            // Each world has a fault of its own, or both have the same.
            for then in [then.unwrap_or(first)] {
                FORGOTTEN.store(0, Relaxed);
                let living = Living::default();
                FAULT.store(if then == first { Nothing } else { first } as usize, Relaxed);
                let mut world = filled(threads.clone(), &living, 66);
                let mut other = filled(threads.clone(), &living, 66);
                FAULT.store(then as usize, Relaxed);
                exercise(&mut world, &living);
                FAULT.store(first as usize, Relaxed);
                exercise(&mut other, &living);
                FAULT.store(Nothing as usize, Relaxed);
                // Both worlds still work, whatever was lost.
                for world in [&mut world, &mut other] {
                    let mut left = entities(world);
                    left.truncate(8);
                    world
                        .step(|step| {
                            for &entity in &left {
                                let _ = caught(|| step.remove::<Counted>(entity));
                            }
                            for (&entity, n) in left.iter().zip(0..) {
                                step.insert(entity, Number(n)).unwrap();
                                assert!(step.insert(entity, living.value(n)).unwrap().is_none());
                            }
                        })
                        .unwrap();
                    assert!(
                        left.iter().zip(0..).all(|(&e, n)| world.get::<Counted>(e).unwrap().0 == n)
                    );
                    let _ = caught(|| world.tick());
                }
                // The drop of a world reports lost values, too, but not while the thread unwinds.
                if let Some(message) = caught(|| drop(world)) {
                    assert_not_mistaken(&message);
                }
                let unwinding = caught(|| {
                    let _other = other;
                    fail("unwinding")
                });
                assert_eq!(unwinding.unwrap(), "unwinding");
                locked(&HANDED_OVER).clear();
                assert_eq!(living.count(), FORGOTTEN.load(Relaxed), "{first:?}, then {then:?}");
                // Leaked values of this round must not be found in the next one.
                locked(&LEAKED).clear();
            }
        }
    }
}
