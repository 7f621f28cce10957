//! The entities that a subtask marks for despawning.

use super::place::Row as _;
use super::{Entity, Handles};
use crate::rows::{Marks, Presence};

/// How many handles are prefetched before the first one is looked up.
const MAX_WAITING: usize = 16;

/// Entities to despawn: marks of rows, and a few handles whose rows are not known yet.
///
/// A system mostly marks an entity that it has come to in a loop over rows. The entry of its handle is in no cache then, and the loop
/// would wait for it. So the entry is prefetched, and read with those of the next handles.
#[derive(Debug)]
pub(crate) struct DespawnMarks {
    marks: Marks,
    waiting: [Entity; MAX_WAITING],
    /// The number of handles that wait.
    count: usize,
}

impl Default for DespawnMarks {
    fn default() -> Self {
        Self { marks: Marks::default(), waiting: [Entity::NEVER; MAX_WAITING], count: 0 }
    }
}

impl DespawnMarks {
    /// Reserves memory for marks among `rows` rows in one ascending run: see [`Marks::expect`]. A system that marks by handle and by
    /// [`Place`](crate::Place) makes a second run, whose memory is asked for when it is first needed.
    pub(crate) fn expect(&mut self, rows: usize) {
        self.marks.expect(rows, 1);
    }

    /// Marks the entity in a row. O(1), amortized.
    #[inline(always)]
    pub(super) fn mark_row(&mut self, row: usize) {
        self.marks.mark(row);
    }

    /// Marks an entity, if it is alive. Its row is looked up later. `handles` is the table of its world. O(1), amortized.
    #[inline(always)]
    pub(super) fn mark(&mut self, entity: Entity, handles: Handles<'_>) {
        entity.announce(handles);
        self.waiting[self.count] = entity;
        self.count += 1;
        if self.count == MAX_WAITING {
            self.resolve_waiting(handles);
        }
    }

    /// Marks the rows of the handles that wait.
    #[inline(never)]
    fn resolve_waiting(&mut self, handles: Handles<'_>) {
        for &entity in &self.waiting[..core::mem::take(&mut self.count)] {
            if let Some(row) = handles.row(entity) {
                self.marks.mark(row);
            }
        }
    }

    /// Completes the marks of a subtask that has ended: looks up the handles that wait, and removes the marks of rows without an
    /// entity. A [`Place`](crate::Place) may be out of date, and its row may be used for a new entity soon.
    pub(crate) fn complete(&mut self, handles: Handles<'_>, alive: &Presence) {
        self.resolve_waiting(handles);
        self.marks.retain(alive);
    }

    /// The marks of a subtask that has ended.
    pub(crate) fn marks_mut(&mut self) -> &mut Marks {
        debug_assert!(self.count == 0, "handles still wait: `complete` was not called");
        &mut self.marks
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.marks.is_empty() && self.count == 0
    }

    pub(crate) fn clear(&mut self) {
        self.marks.clear();
        self.count = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entity::Entities;

    #[test]
    fn handles_are_looked_up_when_there_are_enough_and_at_the_end() {
        for count in [0, 1, 15, 16, 17, 40] {
            let mut entities = Entities::fixed(100);
            let all: Vec<(Entity, usize)> =
                (0..50).map(|_| entities.create(0).expect("there is room")).collect();
            let mut despawns = DespawnMarks::default();
            // A place among the handles, one that is out of date, and a handle whose entity is gone.
            despawns.mark_row(all[45].1);
            despawns.mark_row(90);
            entities.withhold(all[44].1);
            despawns.mark(all[44].0, entities.handles());
            for &(entity, _) in &all[..count] {
                despawns.mark(entity, entities.handles());
            }
            assert!(!despawns.is_empty());
            despawns.complete(entities.handles(), entities.alive());
            let marked = despawns.marks_mut().drain().fold(0_u64, |rows, (block, mask)| {
                assert_eq!(block, 0);
                rows | mask
            });
            let expected = all[..count].iter().chain([&all[45]]);
            assert_eq!(marked, expected.fold(0, |rows, (_, row)| rows | 1 << row));
            assert!(despawns.is_empty());
        }
    }
}
