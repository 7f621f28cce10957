//! *Clashes*: updates of one component of one entity by systems that nothing orders.
//!
//! Which of the two is the later one nobody has said, so neither counts. To find them, each stretch is
//! gone through beforehand, row by row of each batch, in the order of systems: it is enough to know who
//! has updated a row *last*. For let *z* come, and *x* and *y* have updated the row, in this order. Unless
//! these have clashed, *y* runs after *x*. If *z* is ordered with *y*, it runs after *y*, as batches come in
//! an order that agrees with it, so *z* runs after *x*, too. So *z* is unordered with any of those who came
//! before only if it is with the last one.
//!
//! A refresh may apply batches in several parts, between which it runs deferred functions. Rivals are in
//! the same part: who defers functions is ordered with both (`signature/influence`), so if it came between
//! the two, they would be ordered.

use super::{AnyChanges, Lent};
use crate::scheduler::{Workers, fork_each};
use crate::signature::{Declaration, Rivals};
use crate::storage::{STRETCH_ROWS, Storage};
use crate::world::StepError;

/// Nobody has updated the row. Systems have lower numbers.
const NOBODY: u16 = u16::MAX;
/// Updates of the row have clashed.
const CLASHED: u16 = u16::MAX - 1;

/// Two systems have updated a component of the entity in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Clash {
    component: u32,
    row: u32,
    systems: [u16; 2],
}

impl Clash {
    /// What the step reports.
    pub(crate) fn error<D: Declaration>(self, storage: &Storage) -> StepError {
        StepError::UpdatesClash {
            component: D::COMPONENTS[self.component as usize].name(),
            systems: self.systems.map(|system| D::SYSTEMS[usize::from(system)].name()),
            entity: storage.entities.rows()[self.row as usize],
        }
    }
}

/// The clashes among batches that are applied together; kept for its memory.
#[derive(Debug, Default)]
pub(crate) struct Clashes {
    /// The batches of updates by rivals: the component, and the position among all batches.
    batches: Vec<(usize, usize)>,
    stretches: Vec<InStretch>,
}

/// The clashes in one stretch.
#[derive(Debug, Default)]
struct InStretch {
    /// By row, which system has updated it last; between uses, all are [`NOBODY`].
    last: Vec<u16>,
    /// Sorted.
    found: Vec<Clash>,
}

/// The clashes over one component in one stretch, in ascending order of rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Void<'a>(&'a [Clash]);

impl Void<'_> {
    /// Whether updates of the row count for nothing.
    #[inline]
    pub(crate) fn contain(self, row: usize) -> bool {
        !self.0.is_empty() && self.0.binary_search_by_key(&row, |clash| clash.row as usize).is_ok()
    }
}

impl Clashes {
    /// Finds all clashes among the batches, which are in the order of systems; if there are no rivals,
    /// without looking at any. O(updates by rivals), on all `workers`.
    pub(crate) fn find(
        &mut self,
        rivals: Option<&Rivals>,
        changes: &[Lent<dyn AnyChanges>],
        workers: &Workers,
    ) {
        let Self { batches, stretches } = self;
        batches.clear();
        for stretch in &mut *stretches {
            stretch.found.clear();
        }
        let Some(rivals) = rivals else { return };
        let mut count = 0;
        for (position, lent) in changes.iter().enumerate() {
            let Some(component) = lent.slot.batch.updates() else { continue };
            if rivals.contest(component) {
                batches.push((component, position));
                count = count.max(lent.slot.batch.stretches());
            }
        }
        batches.sort_unstable();
        if stretches.len() < count {
            stretches.resize_with(count, InStretch::default);
        }
        fork_each(workers, &mut stretches[..count], &|index, stretch: &mut InStretch| {
            for batches in batches.chunk_by(|(one, _), (other, _)| one == other) {
                let rows = batches.iter().map(|&(_, position)| {
                    let lent = &changes[position];
                    let runs = lent.slot.batch.runs(index).iter();
                    (lent.owner.0, runs.flat_map(|run| run.rows()).map(|row| row as u32))
                });
                stretch.look(batches[0].0, rows, |one, other| rivals.are_ordered(one, other));
            }
        });
    }

    /// The clashes over a component, if it is one that is updated, in a stretch.
    #[inline]
    pub(crate) fn of(&self, component: Option<usize>, stretch: usize) -> Void<'_> {
        let found = self.stretches.get(stretch).map_or(&[][..], |stretch| &stretch.found);
        let Some(component) = component.filter(|_| !found.is_empty()) else { return Void(&[]) };
        let before = |end| found.partition_point(|clash| (clash.component as usize) < end);
        Void(&found[before(component)..before(component + 1)])
    }

    /// The clash in the lowest row; there, of the lowest component.
    pub(crate) fn first(&self) -> Option<Clash> {
        let found = self.stretches.iter().find(|stretch| !stretch.found.is_empty())?;
        found.found.iter().copied().min_by_key(|clash| (clash.row, clash.component))
    }
}

impl InStretch {
    /// Notes the clashes over one component among batches of rows, which are in the order of systems.
    fn look(
        &mut self,
        component: usize,
        batches: impl Iterator<Item = (usize, impl Iterator<Item = u32>)> + Clone,
        are_ordered: impl Fn(usize, usize) -> bool,
    ) {
        let of_others = self.found.len();
        for (system, rows) in batches.clone() {
            let this = system as u16;
            // Mostly the same one, if there is any.
            let mut earlier = this;
            for row in rows {
                let last = self.last_of(row);
                if *last == NOBODY || *last == earlier {
                    *last = this;
                } else if *last != this && *last != CLASHED {
                    let rival = *last;
                    if are_ordered(usize::from(rival), system) {
                        *last = this;
                        earlier = rival;
                    } else {
                        *last = CLASHED;
                        let (component, systems) = (component as u32, [rival, this]);
                        self.found.push(Clash { component, row, systems });
                    }
                }
            }
        }
        for (_, rows) in batches {
            for row in rows {
                *self.last_of(row) = NOBODY;
            }
        }
        self.found[of_others..].sort_unstable();
    }

    #[inline]
    fn last_of(&mut self, row: u32) -> &mut u16 {
        let offset = row as usize % STRETCH_ROWS;
        if self.last.len() <= offset {
            self.grow(offset);
        }
        &mut self.last[offset]
    }

    #[cold]
    fn grow(&mut self, offset: usize) {
        self.last.resize((offset + 1).next_power_of_two(), NOBODY);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// By definition: the rows that two unordered systems have.
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
            // Systems are numbered in an order that agrees with the edges.
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
            let mut stretch = InStretch::default();
            for (component, mut batches) in [batches, more].into_iter().enumerate() {
                batches.sort_by_key(|(system, _)| *system);
                let first = component * STRETCH_ROWS;
                for (_, rows) in &mut batches {
                    for row in rows {
                        *row += first as u32;
                    }
                }
                let rows = batches.iter().map(|(system, rows)| (*system, &rows[..]));
                let rows = rows.map(|(system, rows)| (system, rows.iter().copied()));
                stretch.look(component, rows, are_ordered);
                prop_assert!(stretch.last.iter().all(|&last| last == NOBODY));
                let found = stretch.found.iter().filter(|clash| clash.component as usize == component);
                let found: Vec<Clash> = found.copied().collect();
                let rows: Vec<u32> = found.iter().map(|clash| clash.row).collect();
                prop_assert_eq!(rows, naive(&batches, are_ordered));
                for Clash { row, systems, .. } in found {
                    let [one, other] = systems.map(usize::from);
                    prop_assert!(one < other && !are_ordered(one, other));
                    for system in [one, other] {
                        let has = |(by, rows): &(usize, Vec<u32>)| *by == system && rows.contains(&row);
                        prop_assert!(batches.iter().any(has));
                    }
                }
            }
            prop_assert!(stretch.found.is_sorted());
        }
    }

    #[test]
    fn clashes_are_found_by_component_and_stretch() {
        let clash = |component, row| Clash { component, row, systems: [0, 1] };
        let stretch = |found| InStretch { last: Vec::new(), found };
        let clashes = Clashes {
            batches: Vec::new(),
            stretches: vec![
                stretch(Vec::new()),
                stretch(vec![
                    clash(1, 20_009),
                    clash(2, 20_001),
                    clash(2, 20_007),
                    clash(4, 20_001),
                ]),
                stretch(vec![clash(0, 40_000)]),
            ],
        };
        let rows = |component, stretch| {
            let void = clashes.of(component, stretch);
            (20_000..20_010).filter(|&row| void.contain(row)).collect::<Vec<_>>()
        };
        assert_eq!(rows(Some(2), 1), [20_001, 20_007]);
        assert_eq!(rows(Some(1), 1), [20_009]);
        for (component, stretch) in
            [(Some(3), 1), (Some(0), 1), (None, 1), (Some(2), 0), (Some(2), 9)]
        {
            assert_eq!(rows(component, stretch), [0; 0]);
        }
        assert_eq!(clashes.first(), Some(clash(2, 20_001)));
    }
}
