//! *Streaming outputs*: a consumer runs while its producer still runs (thesis, 3.5.2.2 and 13.4).
//!
//! The producer has `output: Stream<T>` and sends items. The consumer has `streams: [Producer]` and is called
//! with batches of them. `README.md` beside this file has the protocol, and the reason why no thread blocks.

mod cells;
mod end;
mod lane;
#[cfg(test)]
mod model;
mod round;

pub(crate) use round::{Link, Round, Sink, Take, Upstream};

use core::any::Any;
use core::marker::PhantomData;

use crate::output::Output;
use crate::parallel::PanicSlot;
use crate::types::{Brand, Sealed, ThreadSafe};
use end::End;
pub(crate) use lane::SharedLane;

/// The output of a system whose items another system consumes while this one still runs: see
/// [`Effects::stream`](crate::proxy::Effects::stream).
///
/// The type declares that the system streams, and the type of the items. Items are sent by a [`Sender`] and
/// held in queues of the library. So replacing or swapping values of this type changes nothing. Without a
/// consumer, or where the consumer does not run its subtasks, the items are dropped.
///
/// ```
/// use ecs_core::{Stream, World, world};
/// # struct Life(u32);
/// # #[derive(Default)]
/// # struct Deaths(usize);
///
/// world! {
///     world Ward;
///     component Life;
///     resource Deaths;
///     system Age {
///         write: [Life],
///         output: Stream<u32>,
///         run: |data| {
///             let (own, effects) = (&mut data.own, &mut data.effects);
///             let mut dead = effects.stream();
///             own.for_entities(|e| {
///                 e.life.0 -= 1;
///                 if e.life.0 == 0 {
///                     dead.send(e.entity.index());
///                 }
///             });
///         },
///     }
///     system Count {
///         streams: [Age],
///         write_resources: [Deaths],
///         run: |data| {
///             let dead = data.effects.received::<Age>().count();
///             data.resources.get_mut::<Deaths>().0 += dead;
///         },
///     }
/// }
///
/// let mut world = World::<Ward>::new();
/// world.spawn_batch([1, 2, 1].map(|life| (Life(life),)));
/// world.tick()?;
/// assert_eq!(world.resource::<Deaths>().0, 2);
/// # Ok::<_, ecs_core::StepError>(())
/// ```
pub struct Stream<T>(Brand<T>);

impl<T> Default for Stream<T> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<T> core::fmt::Debug for Stream<T> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Stream").finish_non_exhaustive()
    }
}

/// A stream holds nothing between executions, so its clone is a new one.
impl<T> Clone for Stream<T> {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// The end of a stream in one subtask, without the type of its items. It belongs to the subtask's state, which
/// bodies cannot access, because the consumer waits until each end of a round is finished.
pub(crate) trait AnyEnd: Any + Send + Sync {
    /// Resets the end before a round.
    ///
    /// # Panics
    /// With the first panic of the destructor of an item that was not consumed, after all are dropped.
    fn reset(&mut self);

    /// The queue between the subtask and the consumer.
    fn lane(&self) -> SharedLane;

    /// Ends the subtask: hands over all items and closes the lane.
    fn finish(&mut self);
}

/// Makes the end of a stream of one item type.
pub(crate) type MakeEnd = fn() -> Box<dyn AnyEnd>;

/// An output that is a stream. Only [`Stream`] implements it.
///
/// ```
/// use ecs_core::{Stream, Streaming};
///
/// fn items_of<S: Streaming<Item = u32>>() {}
///
/// items_of::<Stream<u32>>();
/// ```
#[diagnostic::on_unimplemented(
    message = "[ECS0049] `{Self}` is not the output of a system that streams",
    label = "no stream",
    note = "declare the producer with `output: Stream<Item>`"
)]
#[expect(private_bounds, reason = "sealed: the library makes the ends of streams")]
pub trait Streaming: Output + IsStream {
    /// The type of the items.
    type Item: ThreadSafe;
}

/// Implemented by [`Stream`] alone.
pub(crate) trait IsStream {}

impl<T> IsStream for Stream<T> {}

impl<T: ThreadSafe> Streaming for Stream<T> {
    type Item = T;
}

impl<T: ThreadSafe> Output for Stream<T> {
    const CONCATENATES: bool = true;

    #[expect(private_interfaces, reason = "sealed")]
    const STREAM_END: Sealed<Option<MakeEnd>> = Sealed(Some(|| Box::new(End::<T>::default())));

    fn reset(&mut self) {}
}

/// The producer's end of a stream, in one subtask.
///
/// ```
/// use ecs_core::{Sender, Stream, World, world};
/// # struct Life(u32);
///
/// world! {
///     world Ward;
///     component Life;
///     system Watch {
///         read: [Life],
///         output: Stream<u32>,
///         run: |data| {
///             let (own, effects) = (&mut data.own, &mut data.effects);
///             let mut weak = effects.stream();
///             own.for_entities(|e| report(e.life.0, &mut weak));
///         },
///     }
/// }
///
/// fn report(life: u32, weak: &mut Sender<'_, u32>) {
///     if life < 10 {
///         weak.send(life);
///     }
/// }
/// # let mut world = World::<Ward>::new();
/// # world.spawn((Life(3),));
/// # world.tick()?;
/// # Ok::<_, ecs_core::StepError>(())
/// ```
pub struct Sender<'a, T> {
    end: &'a mut End<T>,
    round: Option<&'a Round<'a>>,
}

impl<T> core::fmt::Debug for Sender<'_, T> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Sender").finish_non_exhaustive()
    }
}

impl<'a, T: ThreadSafe> Sender<'a, T> {
    /// # Panics
    /// If the end is that of a stream of other items.
    pub(crate) fn new(end: &'a mut dyn AnyEnd, round: Option<&'a Round<'a>>) -> Self {
        let end = (end as &mut dyn Any).downcast_mut();
        Self { end: end.expect("a subtask has the end that its output asks for"), round }
    }

    /// Sends an item. Amortized O(1), and sometimes the consumer's work on a batch: a sender that finds the
    /// queue full consumes from it. Allocates nothing in steady state, unless the consumer falls behind.
    #[inline]
    pub fn send(&mut self, item: T) {
        self.end.send(item, self.round);
    }
}

/// A batch for a consumer: a `Vec` of items of any type.
pub(crate) type Batch = dyn AnyBatch;

/// A [`Batch`].
pub(crate) trait AnyBatch: Any + Send {
    /// Drops the items. Panics of destructors go into `panics`, as those of the only subtask of the consumer `node`.
    fn clear(&mut self, node: usize, panics: &PanicSlot);
}

impl<T: ThreadSafe> AnyBatch for Vec<T> {
    fn clear(&mut self, node: usize, panics: &PanicSlot) {
        panics.drop_each(node, Some(0), self.drain(..));
    }
}

/// The items of one call of a consumer, by value, in order.
pub(crate) fn taken<T: 'static>(
    batch: Option<&mut Batch>,
) -> core::iter::Flatten<core::option::IntoIter<std::vec::Drain<'_, T>>> {
    let items = batch.and_then(|batch| (batch as &mut dyn Any).downcast_mut::<Vec<T>>());
    items.map(|items| items.drain(..)).into_iter().flatten()
}
