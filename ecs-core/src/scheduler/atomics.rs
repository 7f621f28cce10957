//! The shared cells that the scheduler needs, as traits, so that a model checker can supply its own.

use std::sync::atomic::{
    AtomicUsize,
    Ordering::{AcqRel, Relaxed},
};

/// A family of shared cells: [`StdAtomics`], or a model checker's.
pub trait Atomics: 'static {
    /// Counts the dependencies that a node still waits for.
    type Counter: Counter;
    /// Holds a number that is ordered by other means.
    type Slot: Slot;
}

/// The number of dependencies that a node still waits for.
///
/// # Memory ordering
///
/// [`decrement`](Self::decrement) must be an acquire *and* a release operation. Release: what the finished node
/// wrote happens before the decrement is seen. Acquire: the thread that reads zero sees all of the earlier
/// decrements of this counter (each is a read-modify-write, so all of them belong to one release sequence). So
/// it happens after all the dependencies, not only after the one that it has run itself. With a weaker
/// ordering, the dependent could read stale data.
pub trait Counter: Send + Sync {
    /// A counter of `value`.
    fn new(value: usize) -> Self;

    /// Sets the value between executions. `&mut` proves that no other thread has access to the counter.
    fn set(&mut self, value: usize);

    /// Subtracts one, as acquire and release, and returns the new value.
    ///
    /// Called at most as many times as the value last set.
    fn decrement(&self) -> usize;
}

/// A shared number with no ordering of its own. Readers are ordered after the writer by other means, or may see
/// an old value.
pub trait Slot: Send + Sync {
    /// A slot that holds `value`.
    fn new(value: usize) -> Self;

    /// The value. Relaxed.
    fn load(&self) -> usize;

    /// Replaces the value. Relaxed.
    fn store(&self, value: usize);
}

/// The cells of the standard library.
#[derive(Clone, Copy, Debug)]
pub enum StdAtomics {}

impl Atomics for StdAtomics {
    type Counter = AtomicUsize;
    type Slot = AtomicUsize;
}

impl Counter for AtomicUsize {
    fn new(value: usize) -> Self {
        Self::new(value)
    }

    fn set(&mut self, value: usize) {
        *self.get_mut() = value;
    }

    fn decrement(&self) -> usize {
        self.fetch_sub(1, AcqRel) - 1
    }
}

impl Slot for AtomicUsize {
    fn new(value: usize) -> Self {
        Self::new(value)
    }

    fn load(&self) -> usize {
        self.load(Relaxed)
    }

    fn store(&self, value: usize) {
        self.store(value, Relaxed);
    }
}
