//! What the stages of a refresh pass on.

use crate::changes::{AllStaged, Allocation, PendingTable, StepError, UpdateConflicts};
use crate::entity::{Entity, LimitReached};
use crate::relations::Refused;

/// Data that the stages of a refresh pass on, reused for its memory.
#[derive(Debug, Default)]
pub(crate) struct RefreshState {
    /// The thesis's `to_despawn`: for each block of rows a mask of the despawned entities.
    pub(crate) dead: Vec<u64>,
    /// The blocks with despawned entities, ascending.
    pub(crate) dead_blocks: Vec<u32>,
    /// Masks of the rows whose despawn was asked for, by block, while relations add to them. Empty otherwise.
    pub(crate) asked: Vec<(u32, u64)>,
    /// Old and new rows of entities that have moved.
    pub(crate) moves: Vec<(usize, usize)>,
    pub(crate) log: EventLog,
    /// Batches that systems have lent.
    pub(crate) staged: AllStaged,
    pub(crate) allocation: Allocation,
    pub(crate) pending: PendingTable,
    pub(crate) conflicts: UpdateConflicts,
    /// The error that the step reports: the first conflict of updates, or else all spawns that did not fit, or else what a relation
    /// has refused.
    pub(crate) error: Option<StepError>,
}

impl RefreshState {
    /// Records spawns that did not fit.
    pub(crate) fn lose(&mut self, LimitReached { limit, lost: count }: LimitReached) {
        if matches!(self.error, Some(StepError::Refused { .. })) {
            self.error = None;
        }
        let none = StepError::LimitReached { limit, lost: 0 };
        if let StepError::LimitReached { lost, .. } = self.error.get_or_insert(none) {
            *lost = lost.saturating_add(count);
        }
    }

    /// Records what a relation has refused.
    pub(crate) fn refuse(&mut self, name: &'static str, first: Refused, more: usize) {
        match &mut self.error {
            None => {
                self.error =
                    Some(StepError::Refused { relation: name, refused: first, count: more });
            }
            Some(StepError::Refused { relation, count, .. }) if *relation == name => *count += more,
            Some(_) => {}
        }
    }

    /// Records a conflict of updates.
    pub(crate) fn conflict(&mut self, error: StepError) {
        if !matches!(self.error, Some(StepError::UpdateConflict { .. })) {
            self.error = Some(error);
        }
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

#[cfg(test)]
mod tests {
    use core::num::NonZeroU32;

    use super::*;

    #[test]
    fn lost_spawns_add_up_and_the_first_conflict_counts_before_and_behind_them() {
        let limit = |lost| LimitReached { limit: 9, lost };
        let conflict = |index| StepError::UpdateConflict {
            component: "C",
            systems: ["A", "B"],
            entity: Entity::new(index, NonZeroU32::MIN),
        };
        let mut state = RefreshState::default();
        state.lose(limit(2));
        state.lose(limit(3));
        assert_eq!(state.error, Some(StepError::LimitReached { limit: 9, lost: 5 }));
        for index in [1, 2] {
            state.conflict(conflict(index));
            state.lose(limit(4));
            assert_eq!(state.error, Some(conflict(1)));
        }
    }
}
