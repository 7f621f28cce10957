//! What the stages of a refresh pass on.

use crate::changes::{AllStaged, Allocation, LargeStages, StepError, UpdateConflicts};
use crate::entity::{Entity, LimitReached};

/// Data that the stages of a refresh pass on, reused for its memory.
#[derive(Debug, Default)]
pub(crate) struct RefreshState {
    /// The thesis's `to_despawn`: for each block of rows a mask of the despawned entities.
    pub(crate) dead: Vec<u64>,
    /// The blocks with despawned entities, ascending.
    pub(crate) dead_blocks: Vec<u32>,
    /// Old and new rows of entities that have moved.
    pub(crate) moves: Vec<(usize, usize)>,
    pub(crate) log: EventLog,
    /// Batches that systems have lent.
    pub(crate) staged: AllStaged,
    pub(crate) allocation: Allocation,
    pub(crate) conflicts: UpdateConflicts,
    /// The limit, and the number of spawns that did not fit.
    pub(crate) lost: Option<(usize, usize)>,
    /// The first conflict of updates.
    pub(crate) conflicted: Option<StepError>,
    pub(crate) large_stages: LargeStages,
}

impl RefreshState {
    /// Records spawns that did not fit.
    pub(crate) fn lose(&mut self, limit: LimitReached, count: usize) {
        self.lost.get_or_insert((limit.limit, 0)).1 += count;
    }

    /// Records a conflict of updates. The first one is reported.
    pub(crate) fn conflict(&mut self, error: StepError) {
        self.conflicted.get_or_insert(error);
    }

    /// Takes the error that the step reports, and discards others.
    pub(crate) fn take_error(&mut self) -> Option<StepError> {
        let (conflicted, lost) = (self.conflicted.take(), self.lost.take());
        conflicted.or(lost.map(|(limit, lost)| StepError::LimitReached { limit, lost }))
    }
}

/// Events in the order in which they are reported. Empty between refreshes; its memory is reused.
#[derive(Debug, Default)]
pub(crate) struct EventLog {
    pub(crate) unsubscribed: Vec<(usize, Entity)>,
    pub(crate) reclaimed: Vec<(usize, Entity)>,
    pub(crate) subscribed: Vec<(usize, Entity)>,
    /// The blocks in which a subscription may change.
    pub(crate) blocks: Vec<usize>,
}
