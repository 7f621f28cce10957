//! The queue between one subtask of a producer and the consumer.

use std::collections::VecDeque;
use std::sync::atomic::{
    AtomicBool,
    Ordering::{Acquire, Release},
};
use std::sync::{Mutex, PoisonError};

use crossbeam::queue::ArrayQueue;

use super::Batch;
use crate::component::ThreadSafe;

/// How many batches a queue has room for.
const ROOM: usize = 16;

/// A bounded queue of batches, with what is left when the producer's subtask ends.
///
/// The subtask alone pushes; whoever has the consumer's lock takes. Once `closed` is seen, everything
/// that was ever sent is in `queue` and, behind that, in `rest`.
#[derive(Debug)]
pub(crate) struct Lane<T> {
    queue: ArrayQueue<Vec<T>>,
    /// Empty batches on their way back.
    free: ArrayQueue<Vec<T>>,
    rest: Mutex<VecDeque<Vec<T>>>,
    closed: AtomicBool,
}

impl<T> Default for Lane<T> {
    fn default() -> Self {
        Self {
            queue: ArrayQueue::new(ROOM),
            free: ArrayQueue::new(2 * ROOM),
            rest: Mutex::default(),
            closed: AtomicBool::new(false),
        }
    }
}

impl<T> Lane<T> {
    /// As good as new, before a round.
    pub(super) fn reset(&self) {
        while let Some(batch) = self.queue.pop() {
            self.recycle(batch);
        }
        self.rest.lock().unwrap_or_else(PoisonError::into_inner).clear();
        self.closed.store(false, Release);
    }

    /// An empty batch, if one came back.
    pub(super) fn recycled(&self) -> Option<Vec<T>> {
        self.free.pop()
    }

    fn recycle(&self, mut batch: Vec<T>) {
        batch.clear();
        // One too many is let go.
        drop(self.free.push(batch));
    }

    /// Moves batches to the queue, in order, as far as there is room; whether all have gone.
    pub(super) fn hand_over(&self, batches: &mut VecDeque<Vec<T>>) -> bool {
        while let Some(batch) = batches.pop_front() {
            if let Err(batch) = self.queue.push(batch) {
                batches.push_front(batch);
                return false;
            }
        }
        true
    }

    /// The last call of the producer's subtask: with what had no room.
    pub(super) fn close(&self, batches: &mut VecDeque<Vec<T>>) {
        if !self.hand_over(batches) {
            self.rest.lock().unwrap_or_else(PoisonError::into_inner).append(batches);
        }
        // Release: whoever sees it sees all that was handed over.
        self.closed.store(true, Release);
    }
}

/// A [`Lane`] of whatever type.
pub(crate) trait AnyLane: Send + Sync {
    /// Gives away what has come, in order, but not endlessly much at once; whether this was all that
    /// will ever come. Only for who has the consumer's lock.
    fn take(&self, give: &mut dyn FnMut(&mut Batch)) -> bool;
}

impl<T: ThreadSafe> AnyLane for Lane<T> {
    fn take(&self, give: &mut dyn FnMut(&mut Batch)) -> bool {
        // Before the queue is looked into. Acquire: pairs with the release in `close`.
        let closed = self.closed.load(Acquire);
        for _ in 0..ROOM {
            let Some(mut batch) = self.queue.pop() else { break };
            give(&mut batch);
            self.recycle(batch);
        }
        if !closed {
            return false;
        }
        // The queue gets nothing more, so one that has room now is empty.
        if !self.queue.is_empty() {
            return false;
        }
        loop {
            let batch = self.rest.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
            let Some(mut batch) = batch else { return true };
            give(&mut batch);
            self.recycle(batch);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(lane: &Lane<usize>) -> (Vec<usize>, bool) {
        let mut all = Vec::new();
        let done = lane.take(&mut |batch| {
            all.append(batch.downcast_mut::<Vec<usize>>().unwrap());
        });
        (all, done)
    }

    #[test]
    fn order_outlasts_a_full_queue() {
        let lane = Lane::default();
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
        lane.reset();
        assert_eq!(taken(&lane), (vec![], false), "as good as new");
    }
}
