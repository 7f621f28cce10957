//! One fork of a producer, and who takes what it sends.

use std::sync::atomic::{
    AtomicUsize,
    Ordering::{Acquire, Release},
};
use std::time::{Duration, Instant};

use super::{Batch, Way};

/// How long the thread that takes stays, though nothing comes, before it turns to other work. What
/// comes later is taken by the producer's own threads.
const PATIENCE: Duration = Duration::from_micros(500);

/// What calls the consumer's body with a batch.
pub(crate) type Take<'a> = dyn FnMut(&mut Batch) + 'a;

/// The consumer, as its producer sees it.
pub(crate) trait Sink: Sync {
    /// Calls `source` with the consumer, unless somebody else is at it; whether it did.
    fn feed(&self, source: &mut dyn FnMut(&mut Take<'_>)) -> bool;

    /// Whether the order of the items does not matter.
    fn is_unordered(&self) -> bool;
}

/// The lanes of the subtasks that a producer has forked, and the consumer.
pub(crate) struct Round<'a> {
    lanes: &'a [Way],
    sink: &'a dyn Sink,
    /// The lanes before this one are done. Written under the consumer's lock.
    current: AtomicUsize,
}

impl core::fmt::Debug for Round<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Round").field("current", &self.current).finish_non_exhaustive()
    }
}

impl<'a> Round<'a> {
    pub(crate) fn new(lanes: &'a [Way], sink: &'a dyn Sink) -> Self {
        Self { lanes, sink, current: AtomicUsize::new(0) }
    }

    /// Takes what there is, if nobody else is at it; whether there was anything.
    pub(crate) fn help(&self) -> bool {
        let mut some = false;
        self.sink.feed(&mut |consumer| {
            let mut give = |batch: &mut Batch| {
                some = true;
                consumer(batch);
            };
            if self.sink.is_unordered() {
                let mut open = false;
                for lane in self.lanes {
                    open |= !lane.0.take(&mut give);
                }
                if !open {
                    self.current.store(self.lanes.len(), Release);
                }
                return;
            }
            // In order: a lane only when those before it are done.
            let mut current = self.current.load(Acquire);
            while current < self.lanes.len() && self.lanes[current].0.take(&mut give) {
                current += 1;
                self.current.store(current, Release);
            }
        });
        some
    }

    fn is_done(&self) -> bool {
        self.current.load(Acquire) == self.lanes.len()
    }

    /// Takes what comes, until everything has come, or nothing does for a while.
    pub(crate) fn take_along(&self) {
        let mut since = Instant::now();
        while !self.is_done() {
            if self.help() {
                since = Instant::now();
            } else if since.elapsed() > PATIENCE {
                return;
            } else {
                std::thread::yield_now();
            }
        }
    }

    /// Takes everything that is left. All lanes must be closed, and nobody else be at it.
    pub(crate) fn take_rest(&self) {
        while !self.is_done() {
            self.help();
        }
    }
}
