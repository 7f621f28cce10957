//! The shared cells that a stream needs, as traits, so that a model checker can supply its own.

use std::sync::atomic::{
    AtomicBool, AtomicUsize,
    Ordering::{Acquire, Relaxed, Release},
};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crossbeam::queue::ArrayQueue;

/// A family of shared cells and sizes: [`StdCells`], or a model checker's.
pub(crate) trait Cells: 'static {
    /// The number of items in a batch.
    const BATCH: usize;
    /// The capacity of a queue, in batches.
    const ROOM: usize;
    /// The number of empty batches that are kept for reuse.
    const SPARE: usize;

    /// Carries full batches to the consumer, and empty ones back.
    type Queue<T>: Queue<T>;
    /// Marks a lane as closed.
    type Flag: Flag;
    /// Counts the lanes that are done.
    type Count: Count;
    /// Holds the batches that had no room in a queue.
    type Locked<T: Default>: Locked<T>;
    /// Decides how long to wait for items.
    type Patience: Patience;
}

/// A bounded first-in-first-out queue. One thread at a time pushes, and one at a time pops.
pub(crate) trait Queue<T> {
    /// An empty queue with room for `room` values.
    fn new(room: usize) -> Self;

    /// Adds the value, or returns it if there is no room. What the pusher did before happens before the return
    /// of the pop that yields the value.
    fn push(&self, value: T) -> Result<(), T>;

    /// The oldest value.
    fn pop(&self) -> Option<T>;

    /// Whether the queue is empty. This is final once the caller knows that nothing more is pushed (and all
    /// pushes happen before the call).
    fn is_empty(&self) -> bool;
}

/// A flag that is raised once in a round, lowered at first.
///
/// # Memory ordering
///
/// [`raise`](Self::raise) must be a release and [`is_raised`](Self::is_raised) an acquire operation: a thread
/// that sees the flag must see all batches that were handed over before.
pub(crate) trait Flag: Default {
    /// Lowers the flag, before a round.
    fn lower(&self);

    /// Raises it.
    fn raise(&self);

    /// Whether it is raised.
    fn is_raised(&self) -> bool;
}

/// A number, zero at first, that only the holder of the consumer's lock writes. The lock orders all that depends on it.
pub(crate) trait Count: Default {
    /// The number. Relaxed.
    fn get(&self) -> usize;

    /// Sets it. Relaxed.
    fn set(&self, value: usize);
}

/// A value behind a lock that is held for a short time.
pub(crate) trait Locked<T>: Default {
    /// Calls `f` with the value.
    fn with<R>(&self, f: impl FnOnce(&mut T) -> R) -> R;
}

/// Decides how long the consuming loop continues while no items come.
pub(crate) trait Patience {
    /// The start of a wait.
    fn new() -> Self;

    /// Whether to look once more. `some` says whether the last look found items.
    fn again(&mut self, some: bool) -> bool;
}

/// The cells of the standard library and of `crossbeam`.
pub(crate) enum StdCells {}

impl Cells for StdCells {
    const BATCH: usize = 512;
    const ROOM: usize = 16;
    const SPARE: usize = 2 * Self::ROOM;

    type Queue<T> = ArrayQueue<T>;
    type Flag = AtomicBool;
    type Count = AtomicUsize;
    type Locked<T: Default> = Mutex<T>;
    type Patience = Since;
}

impl<T> Queue<T> for ArrayQueue<T> {
    fn new(room: usize) -> Self {
        Self::new(room)
    }

    fn push(&self, value: T) -> Result<(), T> {
        self.push(value)
    }

    fn pop(&self) -> Option<T> {
        self.pop()
    }

    fn is_empty(&self) -> bool {
        self.is_empty()
    }
}

impl Flag for AtomicBool {
    fn lower(&self) {
        self.store(false, Relaxed); // the fork orders it
    }

    fn raise(&self) {
        self.store(true, Release);
    }

    fn is_raised(&self) -> bool {
        self.load(Acquire)
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

impl<T: Default> Locked<T> for Mutex<T> {
    fn with<R>(&self, f: impl FnOnce(&mut T) -> R) -> R {
        f(&mut self.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// How long the consuming thread waits without items before it turns to other work. Later items are consumed by
/// the producer's own threads.
const PATIENCE: Duration = Duration::from_micros(500);

/// The time since items last came.
pub(crate) struct Since(Instant);

impl Patience for Since {
    fn new() -> Self {
        Self(Instant::now())
    }

    fn again(&mut self, some: bool) -> bool {
        if some {
            self.0 = Instant::now();
        } else if self.0.elapsed() > PATIENCE {
            return false;
        } else {
            std::thread::yield_now();
        }
        true
    }
}
