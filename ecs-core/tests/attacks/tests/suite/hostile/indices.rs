//! Indices whose keys change, whose hashes and comparisons lie, that panic, and that step other worlds.

use std::cell::Cell;
use std::hash::{Hash, Hasher};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use attacks::support::{caught, fail, four};
use ecs_core::joins::Index;
use ecs_core::{Data, System, Threads, World, world};

thread_local! {
    /// The fault of keys on this thread: all worlds of these tests but one run on the calling thread.
    static FAULT: Cell<Fault> = const { Cell::new(Fault::Nothing) };
    static CALLS: Cell<u64> = const { Cell::new(0) };
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    Nothing,
    AllEqual,
    NoneEqual,
    EqualByTurns,
    HashesDiffer,
    HashesAlike,
    HashPanics,
    EqPanics,
    KeyPanics,
    KeysDiffer,
}

fn fault() -> Fault {
    FAULT.get()
}

fn calls() -> u64 {
    CALLS.set(CALLS.get() + 1);
    CALLS.get()
}

/// A key whose comparison and hash follow the current fault.
#[derive(Clone, Copy, Debug)]
struct Odd(u64);

impl PartialEq for Odd {
    fn eq(&self, other: &Self) -> bool {
        match fault() {
            Fault::AllEqual => true,
            Fault::NoneEqual => false,
            Fault::EqualByTurns => calls().is_multiple_of(2),
            Fault::EqPanics if calls() > 20 => fail("eq"),
            _ => self.0 == other.0,
        }
    }
}

impl Eq for Odd {}

impl Hash for Odd {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match fault() {
            Fault::HashesDiffer => calls().hash(state),
            Fault::HashesAlike => 7.hash(state),
            Fault::HashPanics if calls() > 50 => fail("hash"),
            _ => self.0.hash(state),
        }
    }
}

struct Number(u64);

world! {
    world Found {}
    component Number: contiguous_buffer;
    query ByOdd { read: [Number], index: OddIndex, parallelism: split_evenly(3) }
    system Look { read: [Number], queries: [ByOdd], output: Vec<(u64, u64)> }
}

#[derive(Default)]
struct OddIndex;

impl Index for OddIndex {
    type Entry<'a> = ByOddEntry<'a>;
    type Key = Odd;

    fn key(&self, member: ByOddEntry<'_>) -> Odd {
        match fault() {
            Fault::KeyPanics if member.number.0 == 70 => fail("key"),
            Fault::KeysDiffer => Odd(calls() % 10),
            _ => Odd(member.number.0 % 10),
        }
    }
}

#[derive(Default)]
struct Look;

impl System<Found> for Look {
    fn process(&self, data: &mut Data<'_, Found, Self>) {
        let found = data.effects.lookup::<ByOdd, &Number>();
        let pairs: Vec<_> =
            (0..12).flat_map(|key| found.at(Odd(key)).map(move |number| (key, number.0))).collect();
        assert!(found.members().into_iter().all(|number| number.0 < 150));
        data.effects.output().extend(pairs);
    }
}

fn filled(threads: Threads, count: u64) -> World<Found> {
    let mut world = World::<Found>::on(threads);
    world
        .step(|step| {
            step.spawn_batch((0..count).map(|n| (Number(n),)));
        })
        .unwrap();
    world
}

/// The found pairs of a key and a member.
fn look(world: &mut World<Found>) -> Vec<(u64, u64)> {
    world
        .step(|step| {
            step.execute_systems();
            step.outputs_of::<Look>().flatten().copied().collect()
        })
        .unwrap()
}

fn honest(count: u64) -> Vec<(u64, u64)> {
    let mut all: Vec<_> = (0..count).map(|n| (n % 10, n)).collect();
    all.sort_unstable();
    all
}

#[test]
fn keys_that_lie() {
    let faults = [
        Fault::AllEqual,
        Fault::NoneEqual,
        Fault::EqualByTurns,
        Fault::HashesDiffer,
        Fault::HashesAlike,
        Fault::HashPanics,
        Fault::EqPanics,
        Fault::KeyPanics,
        Fault::KeysDiffer,
    ];
    for fault in faults {
        let mut world = filled(Threads::Inline, 150);
        assert_eq!(look(&mut world), honest(150));
        FAULT.set(fault);
        CALLS.set(0);
        for _ in 0..3 {
            let mut found = Vec::new();
            let panic = caught(|| found = look(&mut world));
            match fault {
                Fault::HashPanics => assert_eq!(panic.unwrap(), "hash"),
                Fault::EqPanics => assert_eq!(panic.unwrap(), "eq"),
                Fault::KeyPanics => assert_eq!(panic.unwrap(), "key"),
                _ => assert_eq!(panic, None, "{fault:?}"),
            }
            // Each result is a member, and no member occurs twice under one key.
            assert!(found.iter().all(|&(_, number)| number < 150));
            for key in 0..12 {
                let mut of_key: Vec<_> = found.iter().filter(|pair| pair.0 == key).collect();
                let count = of_key.len();
                of_key.dedup();
                assert_eq!(of_key.len(), count, "{fault:?}");
            }
            if fault == Fault::HashesAlike {
                assert_eq!(found, honest(150));
            }
        }
        FAULT.set(Fault::Nothing);
        assert_eq!(look(&mut world), honest(150), "{fault:?}");
    }
}

/// An index that, for each key, steps a world that its state holds.
struct Nesting {
    inner: Mutex<Vec<World<Found>>>,
    keys: AtomicUsize,
}

impl Default for Nesting {
    fn default() -> Self {
        Self {
            inner: Mutex::new((0..8).map(|_| filled(Threads::Inline, 3)).collect()),
            keys: AtomicUsize::new(0),
        }
    }
}

world! {
    world Outer {}
    component Number: contiguous_buffer;
    query Nested { read: [Number], index: Nesting, parallelism: split_evenly(3) }
    system See { queries: [Nested], output: Vec<u64> }
}
impl Index for Nesting {
    type Entry<'a> = NestedEntry<'a>;
    type Key = u64;

    fn key(&self, member: NestedEntry<'_>) -> u64 {
        let mut world = self.inner.lock().unwrap().pop().unwrap();
        assert_eq!(look(&mut world), honest(3));
        self.inner.lock().unwrap().push(world);
        self.keys.fetch_add(1, Relaxed);
        member.number.0 % 2
    }
}
#[derive(Default)]
struct See;
impl System<Outer> for See {
    fn process(&self, data: &mut Data<'_, Outer, Self>) {
        let found: Vec<u64> =
            data.effects.lookup::<Nested, &Number>().at(1).map(|number| number.0).collect();
        data.effects.output().extend(found);
    }
}

#[test]
fn keys_that_step_other_worlds() {
    for threads in [Threads::Inline, four()] {
        let mut world = World::<Outer>::on(threads);
        world
            .step(|step| {
                step.spawn_batch((0..150).map(|n| (Number(n),)));
            })
            .unwrap();
        let found: Vec<u64> = world
            .step(|step| {
                step.execute_systems();
                step.outputs_of::<See>().flatten().copied().collect()
            })
            .unwrap();
        assert_eq!(found, (1..150).step_by(2).collect::<Vec<_>>());
    }
}
