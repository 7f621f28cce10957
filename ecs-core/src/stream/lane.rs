//! The queue between one subtask of a producer and the consumer.

use std::collections::VecDeque;

use super::Batch;
use super::cells::{Cells, Flag, Locked, Queue, StdCells};
use crate::component::ThreadSafe;

/// A bounded queue of batches, with what is left when the producer's subtask ends.
///
/// The subtask alone pushes; whoever has the consumer's lock takes. Once `closed` is seen, everything
/// that was ever sent is in `queue` and, behind that, in `rest`.
pub(super) struct Lane<T, C: Cells = StdCells> {
    pub(super) queue: C::Queue<Vec<T>>,
    /// Empty batches on their way back.
    free: C::Queue<Vec<T>>,
    pub(super) rest: C::Locked<VecDeque<Vec<T>>>,
    pub(super) closed: C::Flag,
}

impl<T, C: Cells> Default for Lane<T, C> {
    fn default() -> Self {
        Self {
            queue: Queue::new(C::ROOM),
            free: Queue::new(C::SPARE),
            rest: Locked::new(VecDeque::new()),
            closed: Flag::new(),
        }
    }
}

impl<T, C: Cells> Lane<T, C> {
    /// As good as new, before a round.
    pub(super) fn reset(&self) {
        while let Some(batch) = self.queue.pop() {
            self.recycle(batch);
        }
        self.rest.with(VecDeque::clear);
        self.closed.lower();
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
            self.rest.with(|rest| rest.append(batches));
        }
        self.closed.raise();
    }
}

/// A [`Lane`] of whatever type.
pub(crate) trait AnyLane: Send + Sync {
    /// Gives away what has come, in order, but not endlessly much at once; whether this was all that
    /// will ever come. Only for who has the consumer's lock.
    fn take(&self, give: &mut dyn FnMut(&mut Batch)) -> bool;
}

impl<T: ThreadSafe, C: Cells> AnyLane for Lane<T, C>
where
    Self: Send + Sync,
{
    fn take(&self, give: &mut dyn FnMut(&mut Batch)) -> bool {
        // Before it is asked whether the queue is empty.
        let closed = self.closed.is_raised();
        for _ in 0..C::ROOM {
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
            let batch = self.rest.with(VecDeque::pop_front);
            let Some(mut batch) = batch else { return true };
            give(&mut batch);
            self.recycle(batch);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOM: usize = StdCells::ROOM;

    fn taken(lane: &Lane<usize>) -> (Vec<usize>, bool) {
        let mut all = Vec::new();
        let done = lane.take(&mut |batch| {
            all.append(batch.items().downcast_mut::<Vec<usize>>().unwrap());
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
        lane.reset();
        assert_eq!(taken(&lane), (vec![], false), "as good as new");
    }
}
