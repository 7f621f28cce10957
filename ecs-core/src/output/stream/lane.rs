//! The queue between one subtask of a producer and the consumer.

use std::collections::VecDeque;
use std::sync::Arc;

use super::Batch;
use super::cells::{Cells, Flag, Locked, Queue, StdCells};
use crate::parallel::{PanicSlot, drop_all};
use crate::types::ThreadSafe;

/// A bounded queue of batches, with the batches that remain when the producer's subtask ends.
///
/// Only the subtask pushes. Only the holder of the consumer's lock takes. Once `closed` is seen, all items that
/// were sent and not taken are in `queue` and, after those, in `rest`.
pub(super) struct Lane<T, C: Cells = StdCells> {
    pub(super) queue: C::Queue<Vec<T>>,
    /// Empty batches on the way back to the subtask.
    free: C::Queue<Vec<T>>,
    pub(super) rest: C::Locked<VecDeque<Vec<T>>>,
    pub(super) closed: C::Flag,
}

impl<T, C: Cells> Default for Lane<T, C> {
    fn default() -> Self {
        Self {
            queue: Queue::new(C::ROOM),
            free: Queue::new(C::SPARE),
            rest: C::Locked::default(),
            closed: C::Flag::default(),
        }
    }
}

impl<T, C: Cells> Lane<T, C> {
    /// Resets the lane before a round. Panics of items' destructors go into `panics`.
    pub(super) fn reset(&self, panics: &PanicSlot) {
        self.drop_items(panics);
        self.closed.lower();
    }

    /// Drops the items that were not taken.
    fn drop_items(&self, panics: &PanicSlot) {
        while let Some(mut batch) = self.queue.pop() {
            panics.drop_each(0, None, batch.drain(..));
            self.recycle(batch);
        }
        while let Some(batch) = self.rest.with(VecDeque::pop_front) {
            panics.drop_each(0, None, batch);
        }
    }

    /// An empty batch, if one has been returned.
    pub(super) fn recycled(&self) -> Option<Vec<T>> {
        self.free.pop()
    }

    /// Keeps the memory of an empty batch for reuse.
    fn recycle(&self, batch: Vec<T>) {
        debug_assert!(batch.is_empty());
        // A batch for which there is no room is dropped.
        drop(self.free.push(batch));
    }

    /// Moves batches to the queue, in order, while there is room. Returns whether all were moved.
    pub(super) fn hand_over(&self, batches: &mut VecDeque<Vec<T>>) -> bool {
        while let Some(batch) = batches.pop_front() {
            if let Err(batch) = self.queue.push(batch) {
                batches.push_front(batch);
                return false;
            }
        }
        true
    }

    /// The last call of the producer's subtask, with the batches that had no room.
    pub(super) fn close(&self, batches: &mut VecDeque<Vec<T>>) {
        if !self.hand_over(batches) {
            self.rest.with(|rest| rest.append(batches));
        }
        self.closed.raise();
    }
}

impl<T, C: Cells> Drop for Lane<T, C> {
    fn drop(&mut self) {
        drop_all(|panics| self.drop_items(panics));
    }
}

/// A lane as shared with its consumer.
pub(crate) type SharedLane = Arc<dyn AnyLane>;

/// A [`Lane`] of any item type.
pub(crate) trait AnyLane: Send + Sync {
    /// Passes the batches that have arrived to `give`, in order, up to a limit per call. Returns whether these
    /// were the last ones. Only the holder of the consumer's lock may call it.
    fn take(&self, give: &mut dyn FnMut(&mut Batch)) -> bool;
}

impl<T: ThreadSafe, C: Cells> AnyLane for Lane<T, C>
where
    Self: Send + Sync,
{
    fn take(&self, give: &mut dyn FnMut(&mut Batch)) -> bool {
        // Must be read before the queue is found empty.
        let closed = self.closed.is_raised();
        for _ in 0..C::ROOM {
            let Some(mut batch) = self.queue.pop() else { break };
            give(&mut batch);
            self.recycle(batch);
        }
        // Once closed, nothing more is pushed, so a queue that is empty now stays empty.
        if !closed || !self.queue.is_empty() {
            return false;
        }
        loop {
            let batch = self.rest.with(VecDeque::pop_front);
            let Some(mut batch) = batch else { return true };
            give(&mut batch);
            self.recycle(batch);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::any::Any;

    use super::*;

    const ROOM: usize = StdCells::ROOM;

    fn taken(lane: &Lane<usize>) -> (Vec<usize>, bool) {
        let mut all = Vec::new();
        let done = lane.take(&mut |batch| {
            all.append((batch as &mut dyn Any).downcast_mut::<Vec<usize>>().unwrap());
        });
        (all, done)
    }

    #[test]
    fn order_outlasts_a_full_queue() {
        let lane = Lane::<usize>::default();
        let mut batches: VecDeque<Vec<usize>> = (0..ROOM + 5).map(|i| vec![i]).collect();
        assert!(!lane.hand_over(&mut batches) && batches.len() == 5);
        let (mut all, done) = taken(&lane);
        assert!(!done && all.len() == ROOM);
        batches.extend((ROOM + 5..3 * ROOM).map(|i| vec![i]));
        lane.close(&mut batches);
        loop {
            let (more, done) = taken(&lane);
            all.extend(more);
            if done {
                break;
            }
        }
        assert_eq!(all, (0..3 * ROOM).collect::<Vec<_>>());
        assert_eq!(lane.recycled(), Some(Vec::new()), "batches come back empty");
        lane.reset(&PanicSlot::new());
        assert_eq!(taken(&lane), (vec![], false), "as good as new");
    }
}
