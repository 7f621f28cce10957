//! One fork of a producer, the consumption of its items, and the link between the two systems.

use super::cells::{Cells, Count, Patience, StdCells};
use super::{Batch, SharedLane};

/// Calls the consumer's body with a batch.
pub(crate) type Take<'a> = dyn FnMut(&mut Batch) + 'a;

/// The consumer, as its producer sees it.
pub(crate) trait Sink: Sync {
    /// Calls `source` with the consumer, unless another thread is using it. Returns whether it did.
    fn feed(&self, source: &mut dyn FnMut(&mut Take<'_>)) -> bool;

    /// Whether the calling thread may call the consumer: it is one of the world's threads.
    fn may_feed_here(&self) -> bool;

    /// Whether the order of the items does not matter.
    fn is_unordered(&self) -> bool;
}

/// The lanes of the subtasks that a producer has forked, and the consumer.
pub(crate) struct Round<'a, C: Cells = StdCells> {
    lanes: &'a [SharedLane],
    sink: &'a dyn Sink,
    /// The number of lanes that are done, from the front. Written under the consumer's lock.
    current: C::Count,
}

impl<'a, C: Cells> Round<'a, C> {
    pub(crate) fn new(lanes: &'a [SharedLane], sink: &'a dyn Sink) -> Self {
        Self { lanes, sink, current: C::Count::default() }
    }

    /// [`help`](Self::help) for a producer's body, which may run on a thread that is not one of the world's.
    pub(crate) fn help_here(&self) -> bool {
        self.sink.may_feed_here() && self.help()
    }

    /// Consumes the items that have arrived, if no other thread is consuming. Returns whether there were any.
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
                    open |= !lane.take(&mut give);
                }
                if !open {
                    self.current.set(self.lanes.len());
                }
                return;
            }
            // In order: a lane is read only when all lanes before it are done.
            let mut current = self.current.get();
            while current < self.lanes.len() && self.lanes[current].take(&mut give) {
                current += 1;
                self.current.set(current);
            }
        });
        some
    }

    fn is_done(&self) -> bool {
        self.current.get() == self.lanes.len()
    }

    /// Consumes items until all have come, or none come for a while.
    pub(crate) fn take_along(&self) {
        let mut patience = C::Patience::new();
        while !self.is_done() && patience.again(self.help()) {}
    }

    /// Consumes the remaining items. All lanes must be closed, and no other thread may be consuming.
    pub(crate) fn take_rest(&self) {
        while !self.is_done() {
            self.help();
        }
    }
}

/// How a running system is connected to another one that runs at the same time.
#[derive(Clone, Copy)]
pub(crate) struct Link<'a> {
    /// The producer whose stream it consumes.
    pub(crate) upstream: Option<Upstream<'a>>,
    /// The consumer of its stream.
    pub(crate) sink: Option<&'a dyn Sink>,
}

/// A producer that its consumer must execute.
#[derive(Clone, Copy)]
pub(crate) struct Upstream<'a> {
    /// Executes it. Returns whether it has returned without a panic. The node stores its panic, so that the
    /// consumer cannot suppress it.
    pub(crate) run: &'a (dyn Fn(Option<&dyn Sink>) -> bool + Sync),
}
