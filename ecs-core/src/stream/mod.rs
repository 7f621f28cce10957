//! *Streaming outputs*: a consumer runs while its producer still does (thesis, 3.5.2.2 and 13.4).
//!
//! The producer has `output: Stream<T>` and sends items; the consumer has `streams: [Producer]` and is
//! called with batches of them. `README.md` beside this file has the protocol, and why nobody waits.

mod cells;
mod end;
mod lane;
#[cfg(test)]
mod model;
mod round;

pub(crate) use round::{Round, Sink, Take};

use core::any::Any;
use std::sync::Arc;

use crate::component::ThreadSafe;
use crate::system::Output;
use end::End;
use lane::AnyLane;

/// The output of a system whose items another one takes while this one still runs: see
/// [`Effects::stream`](crate::proxy::Effects::stream).
///
/// Without a consumer, or where the consumer does not call for it, what is sent is dropped.
pub struct Stream<T>(End<T>);

impl<T> Default for Stream<T> {
    fn default() -> Self {
        Self(End::default())
    }
}

impl<T> core::fmt::Debug for Stream<T> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Stream").finish_non_exhaustive()
    }
}

/// A stream keeps nothing between executions, so its clone is a new one.
impl<T> Clone for Stream<T> {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// Who has one is the library: it asks an output for its end of a stream, and tells it that a subtask has
/// ended.
#[derive(Clone, Copy)]
pub(crate) struct Sealed;

/// The way from one subtask of a producer to the consumer.
#[doc(hidden)]
pub struct Way(Arc<dyn AnyLane>);

impl core::fmt::Debug for Way {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Way").finish_non_exhaustive()
    }
}

/// An output that is a stream.
#[diagnostic::on_unimplemented(
    message = "[E0049] `{Self}` is not the output of a system that streams",
    label = "no stream",
    note = "declare the producer with `output: Stream<Item>`"
)]
pub trait Streaming: Output {
    /// What is sent.
    type Item: ThreadSafe;

    /// Itself.
    #[doc(hidden)]
    fn stream(&mut self) -> &mut Stream<Self::Item>;
}

impl<T: ThreadSafe> Streaming for Stream<T> {
    type Item = T;

    fn stream(&mut self) -> &mut Stream<T> {
        self
    }
}

impl<T: ThreadSafe> Output for Stream<T> {
    const CONCATENATES: bool = true;
    const STREAMS: bool = true;

    fn reset(&mut self) {
        self.0.reset();
    }

    #[expect(private_interfaces, reason = "sealed")]
    fn lane(&self, _: Sealed) -> Option<Way> {
        Some(Way(self.0.lane()))
    }

    #[expect(private_interfaces, reason = "sealed")]
    fn finish(&mut self, _: Sealed) {
        self.0.finish();
    }
}

/// The producer's end of a stream, in one subtask.
#[derive(Debug)]
pub struct Sender<'a, T> {
    stream: &'a mut Stream<T>,
    round: Option<&'a Round<'a>>,
}

impl<'a, T: ThreadSafe> Sender<'a, T> {
    pub(crate) fn new(stream: &'a mut Stream<T>, round: Option<&'a Round<'a>>) -> Self {
        Self { stream, round }
    }

    /// Sends an item. Amortized O(1), and now and then what the consumer does with a batch: who finds
    /// the queue full takes from it. Allocates nothing in steady state, unless the consumer lags
    /// behind.
    #[inline]
    pub fn send(&mut self, item: T) {
        self.stream.0.send(item, self.round);
    }
}

/// A batch for a consumer, of whatever type.
pub(crate) type Batch = dyn AnyBatch;

/// A batch of items.
pub(crate) trait AnyBatch: Send {
    /// The items, in a vector.
    fn items(&mut self) -> &mut dyn Any;

    /// Drops the items.
    fn clear(&mut self);
}

impl<T: ThreadSafe> AnyBatch for Vec<T> {
    fn items(&mut self) -> &mut dyn Any {
        self
    }

    fn clear(&mut self) {
        self.clear();
    }
}

/// What a consumer takes of one call, by value, in order.
pub(crate) fn taken<T: 'static>(
    batch: Option<&mut Batch>,
) -> core::iter::Flatten<core::option::IntoIter<std::vec::Drain<'_, T>>> {
    let items = batch.and_then(|batch| batch.items().downcast_mut::<Vec<T>>());
    items.map(|items| items.drain(..)).into_iter().flatten()
}
