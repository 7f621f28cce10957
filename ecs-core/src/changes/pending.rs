//! The spawns that subtasks have named before they had handles: from their [keys](PendingKey) to their rows.

use super::{Allocation, AnySpawnBatch, Lent, Owner};
use crate::entity::PendingKey;

/// What a refresh knows of pending entities, reused for its memory.
#[derive(Debug, Default)]
pub(crate) struct PendingTable {
    /// The subtasks that have staged work for pending entities, in the order of their systems.
    owners: Vec<Owner>,
    /// Whether some of it must be done before the rows of despawned entities are free.
    early: bool,
    /// Where the spawns of each batch are, ascending.
    batches: Vec<Batch>,
    /// The subtask whose keys are looked up.
    current: Owner,
}

/// The spawns of one batch.
#[derive(Debug)]
struct Batch {
    /// The subtask and the order of the bundle.
    key: (Owner, (u32, u32)),
    group: usize,
    /// The number of the first one in its group.
    start: usize,
    len: usize,
}

impl PendingTable {
    /// Adds a subtask that has staged work for pending entities. `early` says whether some of it must be done before the
    /// rows of despawned entities are free.
    #[cold]
    pub(crate) fn add(&mut self, owner: Owner, early: bool) {
        self.owners.push(owner);
        self.early |= early;
    }

    /// Whether there is no such subtask.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.owners.is_empty()
    }

    /// Whether some work must be done before the rows of despawned entities are free.
    #[inline]
    pub(crate) fn is_early(&self) -> bool {
        self.early
    }

    /// The subtasks, in order.
    pub(crate) fn owners(&self) -> &[Owner] {
        &self.owners
    }

    /// Looks up keys of this subtask from now on.
    pub(crate) fn begin(&mut self, owner: Owner) {
        self.current = owner;
    }

    /// The subtask whose keys are looked up.
    pub(crate) fn current(&self) -> Owner {
        self.current
    }

    /// Forgets all subtasks.
    pub(crate) fn clear(&mut self) {
        self.owners.clear();
        self.batches.clear();
        self.early = false;
    }

    /// Enters the spawns whose rows are allocated. O(batches · log batches).
    pub(crate) fn enter(&mut self, allocation: &Allocation, spawns: &[Lent<dyn AnySpawnBatch>]) {
        self.batches.clear();
        for (group, allocated) in allocation.groups().iter().enumerate() {
            for (start, batch) in allocated.starts() {
                let Lent { owner, slot, .. } = &spawns[batch];
                let key = (*owner, (slot.order.position as u32, slot.order.rank));
                self.batches.push(Batch { key, group, start, len: slot.batch.len() });
            }
        }
        self.batches.sort_unstable_by_key(|batch| batch.key);
    }

    /// The row of the entity, unless it has found no room. O(log spawns).
    pub(crate) fn row(&self, key: PendingKey, allocation: &Allocation) -> Option<usize> {
        let wanted = (self.current, key.bundle);
        let batch = self.batches.binary_search_by_key(&wanted, |batch| batch.key).ok()?;
        let Batch { group, start, len, .. } = self.batches[batch];
        let number = key.number as usize;
        if number < len { allocation.groups().get(group)?.row(start + number) } else { None }
    }
}
