//! Executors that skip tasks, atomics that lie, and schedulers that use them.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

use attacks::support::{caught, fail};
use ecs_core::scheduler::{
    AtomicCounter, Atomics, Counter, Dag, ExecuteError, ForkJoin, Outcome, Scheduler, Slot,
    StartNodes, fork, fork_chunks, fork_each,
};
use ecs_core::settings::Scheduled;
use ecs_core::{Data, System, Threads, World, world};

struct Number(u64);

world! {
    world Graph {}
    component Number: contiguous_buffer;
    system A { write: [Number] }
    system B { write: [Number], dependencies: [A] }
    system C { write: [Number], dependencies: [B] }
}

macro_rules! bodies {
    ($($name:ident $n:ident $change:expr;)*) => {$(
        #[derive(Default)]
        struct $name;
        impl System<Graph> for $name {
            fn process(&self, data: &mut Data<'_, Graph, Self>) {
                data.own.query::<&mut Number>().for_each(|Number($n)| $change);
            }
        }
    )*};
}

bodies! {
    A n *n += 1;
    B n *n *= 2;
    C n *n += 3;
}

/// An executor that runs the tasks of a join in its own way.
#[derive(Clone, Copy, Debug)]
enum Lying {
    Neither,
    First,
    Second,
    Backwards,
    OnOtherThreads,
    /// Runs both, and then panics.
    Panics,
    /// Runs the first one, and then panics: the second one is dropped.
    PanicsBetween,
    /// Reports this number of threads.
    Threads(usize),
}

impl ForkJoin for Lying {
    fn join<F, G>(&self, a: F, b: G)
    where
        F: FnOnce() + Send,
        G: FnOnce() + Send,
    {
        match self {
            Self::Neither => {}
            Self::First => a(),
            Self::Second => b(),
            Self::Backwards | Self::Threads(_) => {
                b();
                a();
            }
            Self::OnOtherThreads => {
                thread::scope(|scope| {
                    scope.spawn(b);
                    scope.spawn(a);
                });
            }
            Self::Panics => {
                a();
                b();
                fail("joined");
            }
            Self::PanicsBetween => {
                a();
                fail("between");
            }
        }
    }

    fn threads(&self) -> usize {
        if let Self::Threads(count) = self { *count } else { 1 }
    }
}

const WAYS: [Lying; 9] = [
    Lying::Neither,
    Lying::First,
    Lying::Second,
    Lying::Backwards,
    Lying::OnOtherThreads,
    Lying::Panics,
    Lying::PanicsBetween,
    Lying::Threads(0),
    Lying::Threads(usize::MAX),
];

#[test]
fn pieces_are_called_once_at_most() {
    for way in WAYS {
        let calls: Vec<AtomicUsize> = (0..37).map(|_| AtomicUsize::new(0)).collect();
        let called = |from: usize, len: usize| {
            calls[from..from + len].iter().for_each(|call| _ = call.fetch_add(1, Relaxed));
        };
        let mut items = vec![0_u8; 37];
        // The executor may skip tasks, and panic.
        let once = |what: &str, fork: &mut dyn FnMut()| {
            let _ = caught(fork);
            let most = calls.iter().map(|calls| calls.swap(0, Relaxed)).max();
            assert!(most <= Some(1), "{what}, {way:?}");
        };
        once("fork", &mut || fork(&way, 37, &|i| called(i, 1)));
        once("each", &mut || {
            fork_each(&way, &mut items, &|i, item: &mut u8| {
                *item += 1;
                called(i, 1);
            });
        });
        once("the smallest chunks", &mut || {
            fork_chunks(&way, &mut items, 0, &|i, items: &mut [u8]| {
                items[0] += 1;
                called(i, items.len());
            });
        });
        once("the largest chunk", &mut || {
            fork_chunks(&way, &mut items, usize::MAX, &|i, items: &mut [u8]| {
                called(i, items.len());
            });
        });
        assert!(items.iter().all(|item| *item <= 2), "{way:?}");
    }
}

/// A correct scheduler on an incorrect executor.
struct On(AtomicCounter, Lying);

static NEXT: Mutex<Lying> = Mutex::new(Lying::Neither);

impl Scheduler for On {
    fn new(dag: &Dag) -> Self {
        Self(AtomicCounter::new(dag), *NEXT.lock().unwrap())
    }

    fn execute<E, F>(&mut self, starts: StartNodes<'_>, _: &E, run: &F) -> Result<(), ExecuteError>
    where
        E: ForkJoin,
        F: Fn(usize) -> Outcome + Sync,
    {
        self.0.execute(starts, &self.1, run)
    }
}

fn numbers<S: ecs_core::settings::Settings>(world: &World<Graph, S>) -> Vec<u64> {
    let mut all = Vec::new();
    for number in world.iter::<&Number>() {
        all.push(number.0);
    }
    all
}

/// Executes three times; after each, the same prefix of the chain has run for all entities.
fn check<S: ecs_core::settings::Settings>(world: &mut World<Graph, S>, what: &str) {
    world
        .step(|step| {
            step.spawn_batch((0..100).map(|n| (Number(n),)));
        })
        .unwrap();
    for _ in 0..3 {
        let before = numbers(world);
        let panic = caught(|| world.tick());
        let chains: [fn(u64) -> u64; 4] = [|n| n, |n| n + 1, |n| (n + 1) * 2, |n| (n + 1) * 2 + 3];
        let after = numbers(world);
        let is_one =
            |chain: &fn(u64) -> u64| before.iter().map(|&n| chain(n)).eq(after.iter().copied());
        assert!(chains.iter().any(is_one), "{what}: {panic:?}");
    }
}

#[test]
fn a_scheduler_on_an_executor_that_lies() {
    for way in WAYS {
        *NEXT.lock().unwrap() = way;
        let mut world = World::<Graph, Scheduled<Graph, On>>::on(Threads::Inline);
        check(&mut world, &format!("{way:?}"));
    }
}

/// Atomics that lie as the parameter says.
enum Lies<const WAY: usize> {}

struct Cell<const WAY: usize>(AtomicUsize);

impl<const WAY: usize> Atomics for Lies<WAY> {
    type Counter = Cell<WAY>;
    type Slot = Cell<WAY>;
}

impl<const WAY: usize> Counter for Cell<WAY> {
    fn new(value: usize) -> Self {
        Self(AtomicUsize::new(value))
    }

    fn set(&mut self, value: usize) {
        *self.0.get_mut() = value;
    }

    fn decrement(&self) -> usize {
        let right = self.0.fetch_sub(1, Relaxed).wrapping_sub(1);
        match WAY {
            0 => 0,
            1 => 1,
            2 => usize::MAX,
            3 => fail("decrement"),
            _ => right,
        }
    }
}

impl<const WAY: usize> Slot for Cell<WAY> {
    fn new(value: usize) -> Self {
        Self(AtomicUsize::new(value))
    }

    fn load(&self) -> usize {
        match WAY {
            4 => usize::MAX,
            5 => 1,
            6 => fail("load"),
            _ => self.0.load(Relaxed),
        }
    }

    fn store(&self, value: usize) {
        if WAY == 7 {
            fail("store");
        }
        self.0.store(if WAY == 8 { 0 } else { value }, Relaxed);
    }
}

#[test]
fn atomics_that_lie() {
    fn with<const WAY: usize>() {
        let mut world = World::<Graph, Scheduled<Graph, AtomicCounter<Lies<WAY>>>>::on(
            attacks::support::four(),
        );
        check(&mut world, &format!("way {WAY}"));
    }
    with::<0>();
    with::<1>();
    with::<2>();
    with::<3>();
    with::<4>();
    with::<5>();
    with::<6>();
    with::<7>();
    with::<8>();
    with::<9>();
}
