//! The producer's end of a stream, in one subtask.

use core::mem;
use std::collections::VecDeque;
use std::sync::Arc;

use super::cells::{Cells, StdCells};
use super::lane::{AnyLane, Lane};
use super::{AnyEnd, Round, SharedLane};
use crate::parallel::{PanicSlot, drop_all};
use crate::types::ThreadSafe;

/// The items that one subtask has collected, and the lane that they go to.
pub(super) struct End<T, C: Cells = StdCells> {
    pub(super) lane: Arc<Lane<T, C>>,
    /// Items that are not handed over yet.
    batch: Vec<T>,
    /// Full batches for which the queue had no room.
    spilled: VecDeque<Vec<T>>,
}

impl<T, C: Cells> Default for End<T, C> {
    fn default() -> Self {
        Self { lane: Arc::default(), batch: Vec::new(), spilled: VecDeque::new() }
    }
}

impl<T, C: Cells> End<T, C> {
    /// Drops the items that were not handed over.
    fn drop_items(&mut self, panics: &PanicSlot) {
        panics.drop_each(0, None, self.batch.drain(..));
        panics.drop_each(0, None, self.spilled.drain(..).flatten());
    }

    #[inline]
    pub(super) fn send(&mut self, item: T, round: Option<&Round<'_, C>>) {
        self.batch.push(item);
        if self.batch.len() >= C::BATCH {
            self.hand_over(round);
        }
    }

    #[cold]
    fn hand_over(&mut self, round: Option<&Round<'_, C>>) {
        let Self { lane, batch, spilled } = self;
        let Some(round) = round else {
            return drop_all(|panics| panics.drop_each(0, None, batch.drain(..)));
        };
        let empty = lane.recycled().unwrap_or_else(|| Vec::with_capacity(C::BATCH));
        spilled.push_back(mem::replace(batch, empty));
        if !lane.hand_over(spilled) && round.help_here() {
            // Batches that do not fit now stay in `spilled`: no thread waits for a full queue.
            lane.hand_over(spilled);
        }
    }
}

impl<T: ThreadSafe, C: Cells> AnyEnd for End<T, C>
where
    Self: Send + Sync,
    Lane<T, C>: AnyLane,
{
    fn reset(&mut self) {
        drop_all(|panics| {
            self.drop_items(panics);
            self.lane.reset(panics);
            if self.batch.capacity() == 0 {
                self.batch = self.lane.recycled().unwrap_or_default();
            }
        });
    }

    fn lane(&self) -> SharedLane {
        self.lane.clone()
    }

    fn finish(&mut self) {
        if !self.batch.is_empty() {
            let batch = mem::take(&mut self.batch);
            self.spilled.push_back(batch);
        }
        self.lane.close(&mut self.spilled);
    }
}

impl<T, C: Cells> Drop for End<T, C> {
    fn drop(&mut self) {
        drop_all(|panics| self.drop_items(panics));
    }
}
