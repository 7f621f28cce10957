//! Checks the protocol on *every* interleaving of two subtasks and the consuming loop, and with every value
//! that a weak memory model lets a load see.
//!
//! The cells are the model checker's. The queue is a small ring over them, since `crossbeam`'s is trusted. A
//! queue has room for one batch and a batch for one item, so every overflow occurs.

use std::any::Any;
use std::collections::{BTreeSet, VecDeque};
use std::marker::PhantomData;
use std::sync::atomic::Ordering::{self, Acquire, Relaxed, Release};
use std::sync::{Arc, Mutex};

use loom::sync::atomic::{AtomicBool, AtomicUsize};

use super::cells::{Cells, Count, Flag, Locked, Patience, Queue};
use super::end::End;
use super::lane::{AnyLane, Lane};
use super::{AnyEnd as _, Batch, Round, SharedLane, Sink, Take};

/// The memory orderings of the flag's store and load, as a type.
trait Order: Send + Sync + 'static {
    const RAISE: Ordering;
    const SEE: Ordering;
}

macro_rules! orders {
    ($($name:ident: $raise:ident $see:ident)*) => {$(
        struct $name;
        impl Order for $name {
            const RAISE: Ordering = $raise;
            const SEE: Ordering = $see;
        }
    )*};
}
orders! { Right: Release Acquire WithoutRelease: Relaxed Acquire WithoutAcquire: Release Relaxed }

/// Cells that the model checker tracks.
struct Modelled<O>(PhantomData<O>);

impl<O: Order> Cells for Modelled<O> {
    const BATCH: usize = 1;
    const ROOM: usize = 1;
    // No batch is reused: that would only multiply the interleavings.
    const SPARE: usize = 0;

    type Queue<T> = Ring<T>;
    type Flag = ModelFlag<O>;
    type Count = AtomicUsize;
    type Locked<T: Default> = loom::sync::Mutex<T>;
    type Patience = Once;
}

/// A queue for one thread that pushes and one at a time that pops.
struct Ring<T> {
    // Not part of the model: the two counters decide which thread may access which slot.
    places: Vec<Mutex<Option<T>>>,
    pushed: AtomicUsize,
    popped: AtomicUsize,
}

impl<T> Queue<T> for Ring<T> {
    fn new(room: usize) -> Self {
        let places = (0..room).map(|_| Mutex::new(None)).collect();
        Self { places, pushed: AtomicUsize::new(0), popped: AtomicUsize::new(0) }
    }

    fn push(&self, value: T) -> Result<(), T> {
        let room = self.places.len();
        if room == 0 {
            return Err(value);
        }
        let pushed = self.pushed.load(Relaxed);
        if pushed - self.popped.load(Acquire) == room {
            return Err(value);
        }
        *self.places[pushed % room].lock().unwrap() = Some(value);
        self.pushed.store(pushed + 1, Release);
        Ok(())
    }

    fn pop(&self) -> Option<T> {
        let room = self.places.len();
        if room == 0 || self.is_empty() {
            return None;
        }
        let popped = self.popped.load(Relaxed);
        let value = self.places[popped % room].lock().unwrap().take();
        self.popped.store(popped + 1, Release);
        Some(value.expect("a place is filled before it is counted"))
    }

    fn is_empty(&self) -> bool {
        self.pushed.load(Acquire) == self.popped.load(Relaxed)
    }
}

struct ModelFlag<O>(AtomicBool, PhantomData<O>);

impl<O> Default for ModelFlag<O> {
    fn default() -> Self {
        Self(AtomicBool::new(false), PhantomData)
    }
}

impl<O: Order> Flag for ModelFlag<O> {
    fn lower(&self) {
        self.0.store(false, Relaxed);
    }

    fn raise(&self) {
        self.0.store(true, O::RAISE);
    }

    fn is_raised(&self) -> bool {
        self.0.load(O::SEE)
    }
}

impl Count for AtomicUsize {
    fn get(&self) -> usize {
        self.load(Relaxed)
    }

    fn set(&self, value: usize) {
        self.store(value, Relaxed);
    }
}

impl<T: Default> Locked<T> for loom::sync::Mutex<T> {
    fn with<R>(&self, f: impl FnOnce(&mut T) -> R) -> R {
        f(&mut self.lock().unwrap())
    }
}

/// Gives up at the first look that finds nothing, as any later one is like the first.
struct Once;

impl Patience for Once {
    fn new() -> Self {
        Self
    }

    fn again(&mut self, some: bool) -> bool {
        some
    }
}

/// Where a batch is consumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Taker {
    Loop,
    Subtask,
    Rest,
}

/// A consumer that records its items: (subtask, call).
struct Notes {
    taken: loom::sync::Mutex<Vec<(usize, usize)>>,
    unordered: bool,
    /// The thread of the loop.
    main: loom::thread::ThreadId,
    // Not part of the model.
    joined: std::sync::atomic::AtomicBool,
    takers: Arc<Mutex<BTreeSet<Taker>>>,
}

impl Notes {
    fn taker(&self) -> Taker {
        if loom::thread::current().id() != self.main {
            Taker::Subtask
        } else if self.joined.load(Relaxed) {
            Taker::Rest
        } else {
            Taker::Loop
        }
    }
}

impl Sink for Notes {
    fn feed(&self, source: &mut dyn FnMut(&mut Take<'_>)) -> bool {
        let Ok(mut taken) = self.taken.try_lock() else { return false };
        source(&mut |batch: &mut Batch| {
            let items = (batch as &mut dyn Any).downcast_mut();
            taken.append(items.expect("a batch of what was sent"));
            self.takers.lock().unwrap().insert(self.taker());
        });
        true
    }

    fn may_feed_here(&self) -> bool {
        true
    }

    fn is_unordered(&self) -> bool {
        self.unordered
    }
}

/// How the consumer sees the lanes of a round.
type Lead<O> = fn(Arc<Lane<(usize, usize), Modelled<O>>>) -> SharedLane;

fn as_it_is<O: Order>(lane: Arc<Lane<(usize, usize), Modelled<O>>>) -> SharedLane {
    lane
}

/// A lane that reads its flag *after* its queue was found empty.
struct Careless<O: Order>(Arc<Lane<(usize, usize), Modelled<O>>>);

impl<O: Order> AnyLane for Careless<O> {
    fn take(&self, give: &mut dyn FnMut(&mut Batch)) -> bool {
        while let Some(mut batch) = self.0.queue.pop() {
            give(&mut batch);
        }
        if !self.0.closed.is_raised() {
            return false;
        }
        while let Some(mut batch) = self.0.rest.with(VecDeque::pop_front) {
            give(&mut batch);
        }
        true
    }
}

fn careless<O: Order>(lane: Arc<Lane<(usize, usize), Modelled<O>>>) -> SharedLane {
    Arc::new(Careless(lane))
}

/// Runs one round as an executor does, in every possible interleaving (with a `bound`: in all with at most that
/// many preemptions): subtasks that send `items` items each, and the consuming loop. Returns where batches were
/// consumed.
fn explore<O: Order>(
    items: [usize; 2],
    unordered: bool,
    bound: Option<usize>,
    lead: Lead<O>,
) -> BTreeSet<Taker> {
    let takers = Arc::new(Mutex::new(BTreeSet::new()));
    let found = Arc::clone(&takers);
    let mut model = loom::model::Builder::new();
    model.preemption_bound = bound;
    model.check(move || {
        let ends: Vec<End<(usize, usize), Modelled<O>>> = (0..2).map(|_| End::default()).collect();
        // Threads of the model have no scopes, so shared data is leaked.
        let lanes: &[SharedLane] =
            Box::leak(ends.iter().map(|end| lead(Arc::clone(&end.lane))).collect());
        let sink: &Notes = Box::leak(Box::new(Notes {
            taken: loom::sync::Mutex::new(Vec::new()),
            unordered,
            main: loom::thread::current().id(),
            joined: std::sync::atomic::AtomicBool::new(false),
            takers: Arc::clone(&found),
        }));
        let round: &Round<'_, Modelled<O>> = Box::leak(Box::new(Round::new(lanes, sink)));
        let mut pieces = Vec::new();
        for (subtask, mut end) in ends.into_iter().enumerate() {
            let items = items[subtask];
            let send = move || {
                (0..items).for_each(|call| end.send((subtask, call), Some(round)));
                end.finish();
            };
            pieces.push(loom::thread::spawn(send));
        }
        round.take_along();
        for piece in pieces {
            piece.join().unwrap();
        }
        sink.joined.store(true, Relaxed);
        round.take_rest();
        let mut taken = sink.taken.lock().unwrap().clone();
        if unordered {
            // The order of each subtask is kept nevertheless.
            taken.sort_by_key(|(subtask, _)| *subtask);
        }
        let all = (0..2).flat_map(|subtask| (0..items[subtask]).map(move |call| (subtask, call)));
        assert_eq!(taken, all.collect::<Vec<_>>(), "what was sent");
    });
    takers.lock().unwrap().clone()
}

/// The exploration covers every place where batches can be consumed.
const ALL: [Taker; 3] = [Taker::Loop, Taker::Subtask, Taker::Rest];

#[test]
fn everything_comes_once_and_in_order() {
    explore::<Right>([1, 1], false, None, as_it_is);
    // The first queue overflows: its subtask consumes, or spills.
    assert!(explore::<Right>([2, 1], false, None, as_it_is).iter().eq(&ALL));
}

#[test]
fn without_an_order_everything_comes_once_too() {
    explore::<Right>([1, 1], true, None, as_it_is);
    assert!(explore::<Right>([2, 1], true, Some(3), as_it_is).iter().eq(&ALL));
}

#[test]
fn both_queues_overflow() {
    assert!(explore::<Right>([2, 2], false, Some(3), as_it_is).iter().eq(&ALL));
}

#[test]
#[should_panic(expected = "what was sent")]
fn a_flag_without_release_is_found_out() {
    explore::<WithoutRelease>([1, 1], false, None, as_it_is);
}

#[test]
#[should_panic(expected = "what was sent")]
fn a_flag_without_acquire_is_found_out() {
    explore::<WithoutAcquire>([1, 1], false, None, as_it_is);
}

#[test]
#[should_panic(expected = "what was sent")]
fn a_flag_that_is_read_too_late_is_found_out() {
    explore::<Right>([1, 1], false, None, careless);
}
