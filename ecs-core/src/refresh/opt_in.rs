//! Opt-in systems: an entity is subscribed on request, as long as it has what the system requires.
//!
//! The subscription of such a system cannot be computed from presence: members are added only by
//! requests, and removed members are not restored. So it must follow entities to new rows.

use crate::rows::BLOCK_ROWS;
use crate::state::{CoreData, Subscription};
use crate::storage::Storage;

impl CoreData {
    /// Whether there are requests to subscribe or unsubscribe entities.
    pub(super) fn has_requests(&self) -> bool {
        self.subscriptions.iter().any(|subscription| !subscription.requests.is_empty())
    }

    /// Grants the requests for entities that match, in the order of the calls.
    pub(super) fn apply_requests(&mut self) {
        let Self { storage, subscriptions, .. } = self;
        for subscription in subscriptions.iter_mut().filter(|one| !one.requests.is_empty()) {
            subscription.apply_requests(storage);
        }
    }

    /// Discards all requests, after a panic.
    pub(super) fn discard_requests(&mut self) {
        self.subscriptions.iter_mut().for_each(|subscription| subscription.requests.clear());
    }

    /// Removes despawned entities, before their rows are given to others.
    pub(super) fn unsubscribe_despawned(&mut self) {
        let Self { storage, subscriptions, .. } = self;
        for subscription in subscriptions.iter_mut().filter(|one| one.opt_in) {
            subscription.free(storage);
        }
    }

    /// Moves the membership of entities to their new rows.
    pub(super) fn move_subscribers(&mut self) {
        let Self { subscriptions, refresh, .. } = self;
        for subscription in subscriptions.iter_mut().filter(|one| one.opt_in) {
            for &(from, to) in &refresh.moves {
                if subscription.set.contains(from) {
                    subscription.put(from, false);
                    subscription.put(to, true);
                }
            }
        }
    }
}

impl Subscription {
    fn apply_requests(&mut self, storage: &Storage) {
        for request in 0..self.requests.len() {
            let (entity, subscribe) = self.requests[request];
            let Some(row) = storage.entities.row(entity) else { continue };
            let matches =
                self.demands.matching(storage, row / BLOCK_ROWS) >> (row % BLOCK_ROWS) & 1 == 1;
            let changes = self.put(row, subscribe && matches);
            if changes && self.watched {
                self.toggled.push(row as u32);
            }
        }
        self.requests.clear();
        self.set.restore();
    }

    /// Sets whether the row is a member. Returns whether that is a change.
    fn put(&mut self, row: usize, member: bool) -> bool {
        let (block, bit) = (row / BLOCK_ROWS, 1 << (row % BLOCK_ROWS));
        let before = self.set.block(block);
        self.set.set_block(block, if member { before | bit } else { before & !bit })
    }
}
