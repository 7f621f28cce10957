//! Runs of staged changes, each of which is applied by one operation on a word.

use crate::rows::{BLOCK_ROWS, rows_of};

/// Marks removals. Block numbers are lower.
const REMOVE: u32 = 1 << 31;

/// Consecutive changes of the same type, of rows of one block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    /// The block, with [`REMOVE`] or not.
    change: u32,
    /// The rows. If they get values, they are ascending in the order of the calls.
    pub(crate) rows: u64,
}

/// Runs, in the order of the calls.
///
/// Systems iterate over entities in ascending order, so most runs contain all changes of a block.
#[derive(Debug, Default)]
pub(crate) struct Runs(pub(super) Vec<Run>);

impl Runs {
    /// Adds a row that gets a value. O(1), amortized.
    #[inline]
    pub(crate) fn put(&mut self, row: usize) {
        let (block, bit) = ((row / BLOCK_ROWS) as u32, 1 << (row % BLOCK_ROWS));
        match self.0.last_mut() {
            // Above all other rows, so that the values are in the order of the rows.
            Some(last) if last.change == block && bit > last.rows => last.rows |= bit,
            _ => self.0.push(Run { change: block, rows: bit }),
        }
    }

    /// Adds a row that loses its value. O(1), amortized.
    #[inline]
    pub(crate) fn remove(&mut self, row: usize) {
        let (change, bit) = ((row / BLOCK_ROWS) as u32 | REMOVE, 1 << (row % BLOCK_ROWS));
        match self.0.last_mut() {
            Some(last) if last.change == change => last.rows |= bit,
            _ => self.0.push(Run { change, rows: bit }),
        }
    }
}

impl Run {
    /// Whether the rows lose their values.
    #[inline]
    pub(crate) fn removes(self) -> bool {
        self.change & REMOVE != 0
    }

    #[inline]
    pub(crate) fn block(self) -> usize {
        (self.change & !REMOVE) as usize
    }

    /// The rows, ascending.
    #[inline]
    pub(crate) fn rows(self) -> impl Iterator<Item = usize> + Clone {
        rows_of(self.block(), self.rows)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// For each row, the runs in order have the same result as the calls in order.
        #[test]
        fn they_are_the_calls(calls in proptest::collection::vec((0..200_usize, any::<bool>()), 0..300)) {
            let mut runs = Runs::default();
            for &(row, removes) in &calls {
                if removes { runs.remove(row) } else { runs.put(row) }
            }
            let of_runs: Vec<_> =
                runs.0.iter().flat_map(|run| run.rows().map(|row| (row, run.removes()))).collect();
            // Values keep their order. Repeated removals in a run count once.
            let puts = |all: &[(usize, bool)]| -> Vec<usize> {
                all.iter().filter(|(_, removes)| !removes).map(|(row, _)| *row).collect()
            };
            prop_assert_eq!(puts(&of_runs), puts(&calls));
            for row in 0..200 {
                let of_row = |all: &[(usize, bool)]| {
                    let mut kinds: Vec<bool> =
                        all.iter().filter(|(r, _)| *r == row).map(|(_, removes)| *removes).collect();
                    kinds.dedup_by(|b, a| *a && *b);
                    kinds
                };
                prop_assert_eq!(of_row(&of_runs), of_row(&calls));
            }
        }

        #[test]
        fn ascending_rows_make_one_run_a_block(rows in proptest::collection::btree_set(0..1000_usize, 0..300)) {
            let (mut puts, mut removals) = (Runs::default(), Runs::default());
            for &row in &rows {
                puts.put(row);
            }
            for &row in rows.iter().rev() {
                removals.remove(row);
            }
            let blocks: BTreeSet<usize> = rows.iter().map(|row| row / BLOCK_ROWS).collect();
            prop_assert!(puts.0.iter().map(|run| run.block()).eq(blocks.iter().copied()));
            prop_assert!(removals.0.iter().map(|run| run.block()).eq(blocks.iter().rev().copied()));
            prop_assert!(puts.0.iter().all(|run| !run.removes()));
            prop_assert!(removals.0.iter().all(|run| run.removes()));
        }
    }
}
