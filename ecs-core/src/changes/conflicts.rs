//! *Update conflicts*: updates of one component of one entity by systems without an order.
//!
//! Nothing determines which of the two updates is later, so neither counts. To find conflicts, each
//! chunk is checked beforehand, row by row of each batch, in the order of systems. It is enough to
//! record the *last* system that has updated a row. Proof: let *x* and *y* have updated the row, in
//! this order, and let *z* follow. Unless *x* and *y* have conflicted, *y* runs after *x*. If *z*
//! is ordered with *y*, it runs after *y*, as the order of batches agrees with the order of
//! systems; so *z* runs after *x* too. Hence *z* is unordered with an earlier system only if it is
//! unordered with the last one.
//!
//! A refresh may apply batches in several groups, between which it runs deferred functions.
//! Unordered updates are always in the same group: a system that defers functions is ordered with
//! both updating systems (`signature/check/influence`), so if it came between the two, they would be
//! ordered.

use super::{AnyChanges, Lent};
use crate::changes::StepError;
use crate::parallel::{Workers, fork_each};
use crate::signature::{SystemSignature, UnorderedUpdates};
use crate::storage::{CHUNK_ROWS, ComponentSignature, Storage};

/// No system has updated the row. The indices of systems are lower.
const NONE: u16 = u16::MAX;
/// Updates of the row have conflicted.
const CONFLICTED: u16 = u16::MAX - 1;

/// Two systems have updated a component of the entity in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Conflict {
    component: u32,
    row: u32,
    systems: [u16; 2],
}

impl Conflict {
    /// The error that the step reports.
    pub(crate) fn error(
        self,
        components: &[ComponentSignature],
        systems: &[SystemSignature],
        storage: &Storage,
    ) -> StepError {
        StepError::UpdateConflict {
            component: components[self.component as usize].name(),
            systems: self.systems.map(|system| systems[usize::from(system)].name()),
            entity: storage.entities.rows()[self.row as usize],
        }
    }
}

/// The conflicts among batches that are applied together, reused for their memory.
#[derive(Debug, Default)]
pub(crate) struct UpdateConflicts {
    /// The batches with updates that may be unordered, as the component and the position among all
    /// batches.
    batches: Vec<(usize, usize)>,
    chunks: Vec<InChunk>,
}

/// The conflicts in one chunk.
#[derive(Debug, Default)]
struct InChunk {
    /// The last system that has updated each row; between uses, all are [`NONE`].
    last: Vec<u16>,
    /// Sorted.
    found: Vec<Conflict>,
}

/// The conflicts over one component in one chunk, in ascending order of rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Void<'a>(&'a [Conflict]);

impl Void<'_> {
    /// Whether updates of the row are ignored.
    #[inline]
    pub(crate) fn contain(self, row: usize) -> bool {
        !self.0.is_empty()
            && self.0.binary_search_by_key(&row, |conflict| conflict.row as usize).is_ok()
    }
}

impl UpdateConflicts {
    /// Finds all conflicts among the batches, which are in the order of systems. Without
    /// `unordered_updates` no batch is read. O(updates that may be unordered), on all `workers`.
    pub(crate) fn find(
        &mut self,
        unordered_updates: Option<&UnorderedUpdates>,
        changes: &[Lent<dyn AnyChanges>],
        workers: &Workers,
    ) {
        let Self { batches, chunks } = self;
        batches.clear();
        for chunk in &mut *chunks {
            chunk.found.clear();
        }
        let Some(unordered_updates) = unordered_updates else { return };
        let mut count = 0;
        for (position, lent) in changes.iter().enumerate() {
            let Some(component) = lent.slot.batch.updates() else { continue };
            if unordered_updates.contest(component) {
                batches.push((component, position));
                count = count.max(lent.slot.batch.chunks());
            }
        }
        batches.sort_unstable();
        if chunks.len() < count {
            chunks.resize_with(count, InChunk::default);
        }
        fork_each(workers, &mut chunks[..count], &|index, chunk: &mut InChunk| {
            for batches in batches.chunk_by(|(one, _), (other, _)| one == other) {
                let rows = batches.iter().map(|&(_, position)| {
                    let lent = &changes[position];
                    let runs = lent.slot.batch.runs(index).iter();
                    (lent.owner.0, runs.flat_map(|run| run.rows()).map(|row| row as u32))
                });
                chunk.look(batches[0].0, rows, |one, other| {
                    unordered_updates.are_ordered(one, other)
                });
            }
        });
    }

    /// The conflicts of a component in a chunk; none for `None`.
    #[inline]
    pub(crate) fn of(&self, component: Option<usize>, chunk: usize) -> Void<'_> {
        let found = self.chunks.get(chunk).map_or(&[][..], |chunk| &chunk.found);
        let Some(component) = component.filter(|_| !found.is_empty()) else { return Void(&[]) };
        let before = |end| found.partition_point(|conflict| (conflict.component as usize) < end);
        Void(&found[before(component)..before(component + 1)])
    }

    /// The conflict in the lowest row and, within the row, of the lowest component.
    pub(crate) fn first(&self) -> Option<Conflict> {
        let found = self.chunks.iter().find(|chunk| !chunk.found.is_empty())?;
        found.found.iter().copied().min_by_key(|conflict| (conflict.row, conflict.component))
    }
}

impl InChunk {
    /// Records the conflicts of one component among batches of rows, which are in the order of
    /// systems.
    fn look(
        &mut self,
        component: usize,
        batches: impl Iterator<Item = (usize, impl Iterator<Item = u32>)> + Clone,
        are_ordered: impl Fn(usize, usize) -> bool,
    ) {
        let of_others = self.found.len();
        for (system, rows) in batches.clone() {
            let this = system as u16;
            // A system that is known to be ordered before this one; usually the same for all rows.
            let mut earlier = this;
            for row in rows {
                let last = self.last_of(row);
                if *last == NONE || *last == earlier {
                    *last = this;
                } else if *last != this && *last != CONFLICTED {
                    let other = *last;
                    if are_ordered(usize::from(other), system) {
                        *last = this;
                        earlier = other;
                    } else {
                        *last = CONFLICTED;
                        let (component, systems) = (component as u32, [other, this]);
                        self.found.push(Conflict { component, row, systems });
                    }
                }
            }
        }
        for (_, rows) in batches {
            for row in rows {
                *self.last_of(row) = NONE;
            }
        }
        self.found[of_others..].sort_unstable();
    }

    #[inline]
    fn last_of(&mut self, row: u32) -> &mut u16 {
        let offset = row as usize % CHUNK_ROWS;
        if self.last.len() <= offset {
            self.grow(offset);
        }
        &mut self.last[offset]
    }

    #[cold]
    fn grow(&mut self, offset: usize) {
        self.last.resize((offset + 1).next_power_of_two(), NONE);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// By definition: the rows that occur for two unordered systems.
    fn naive(
        batches: &[(usize, Vec<u32>)],
        are_ordered: impl Fn(usize, usize) -> bool,
    ) -> Vec<u32> {
        let mut rows = Vec::new();
        for (one, mine) in batches {
            for (other, theirs) in batches {
                if one != other && !are_ordered(*one, *other) {
                    rows.extend(mine.iter().filter(|row| theirs.contains(row)));
                }
            }
        }
        rows.sort_unstable();
        rows.dedup();
        rows
    }

    proptest! {
        #[test]
        fn the_last_one_is_enough(
            edges in proptest::collection::vec((0..6_usize, 0..6_usize), 0..8),
            batches in proptest::collection::vec(
                (0..6_usize, proptest::collection::vec(0..40_u32, 0..10)), 0..12,
            ),
            more in proptest::collection::vec(
                (0..6_usize, proptest::collection::vec(0..40_u32, 0..10)), 0..3,
            ),
        ) {
            // The order of the indices of systems agrees with the edges.
            let mut path = [[false; 6]; 6];
            for (a, b) in edges.into_iter().filter(|(a, b)| a < b) {
                path[a][b] = true;
            }
            for via in 0..6 {
                for a in 0..6 {
                    for b in 0..6 {
                        path[a][b] |= path[a][via] && path[via][b];
                    }
                }
            }
            let are_ordered = |a: usize, b: usize| path[a][b] || path[b][a];
            let mut chunk = InChunk::default();
            for (component, mut batches) in [batches, more].into_iter().enumerate() {
                batches.sort_by_key(|(system, _)| *system);
                let first = component * CHUNK_ROWS;
                for (_, rows) in &mut batches {
                    for row in rows {
                        *row += first as u32;
                    }
                }
                let rows = batches.iter().map(|(system, rows)| (*system, &rows[..]));
                let rows = rows.map(|(system, rows)| (system, rows.iter().copied()));
                chunk.look(component, rows, are_ordered);
                prop_assert!(chunk.last.iter().all(|&last| last == NONE));
                let found = chunk.found.iter().filter(|conflict| conflict.component as usize == component);
                let found: Vec<Conflict> = found.copied().collect();
                let rows: Vec<u32> = found.iter().map(|conflict| conflict.row).collect();
                prop_assert_eq!(rows, naive(&batches, are_ordered));
                for Conflict { row, systems, .. } in found {
                    let [one, other] = systems.map(usize::from);
                    prop_assert!(one < other && !are_ordered(one, other));
                    for system in [one, other] {
                        let has = |(by, rows): &(usize, Vec<u32>)| *by == system && rows.contains(&row);
                        prop_assert!(batches.iter().any(has));
                    }
                }
            }
            prop_assert!(chunk.found.is_sorted());
        }
    }

    #[test]
    fn conflicts_are_found_by_component_and_chunk() {
        let conflict = |component, row| Conflict { component, row, systems: [0, 1] };
        let chunk = |found| InChunk { last: Vec::new(), found };
        let conflicts = UpdateConflicts {
            batches: Vec::new(),
            chunks: vec![
                chunk(Vec::new()),
                chunk(vec![
                    conflict(1, 20_009),
                    conflict(2, 20_001),
                    conflict(2, 20_007),
                    conflict(4, 20_001),
                ]),
                chunk(vec![conflict(0, 40_000)]),
            ],
        };
        let rows = |component, chunk| {
            let void = conflicts.of(component, chunk);
            (20_000..20_010).filter(|&row| void.contain(row)).collect::<Vec<_>>()
        };
        assert_eq!(rows(Some(2), 1), [20_001, 20_007]);
        assert_eq!(rows(Some(1), 1), [20_009]);
        for (component, chunk) in
            [(Some(3), 1), (Some(0), 1), (None, 1), (Some(2), 0), (Some(2), 9)]
        {
            assert_eq!(rows(component, chunk), [0; 0]);
        }
        assert_eq!(conflicts.first(), Some(conflict(2, 20_001)));
    }
}
