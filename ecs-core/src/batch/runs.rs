//! Runs of staged changes that one operation on a word makes together.

use crate::storage::BLOCK_ROWS;

/// Marks changes that take a component; blocks are below it.
const REMOVE: u32 = 1 << 31;

/// Changes of the same kind, one after the other, of rows of one block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    /// The block, with [`REMOVE`] or not.
    change: u32,
    /// The rows. Those that get a value are ascending in the order of the calls.
    rows: u64,
}

/// Runs, in the order of the calls.
///
/// Whoever goes over entities comes by in ascending order, so that most runs are all that is changed in a block.
#[derive(Debug, Default)]
pub(crate) struct Runs(Vec<Run>);

impl Runs {
    /// Adds a row that gets a value. O(1), amortized.
    #[inline]
    pub(crate) fn put(&mut self, row: usize) {
        let (block, bit) = ((row / BLOCK_ROWS) as u32, 1 << (row % BLOCK_ROWS));
        match self.0.last_mut() {
            // Above all others: so the values follow the rows.
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

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }
}

impl core::ops::Deref for Runs {
    type Target = [Run];

    fn deref(&self) -> &[Run] {
        &self.0
    }
}

impl Run {
    /// Whether the rows lose their values.
    #[inline]
    pub(crate) fn removes(self) -> bool {
        self.change & REMOVE != 0
    }

    /// The block.
    #[inline]
    pub(crate) fn block(self) -> usize {
        (self.change & !REMOVE) as usize
    }

    /// The rows of the block, as a mask.
    #[inline]
    pub(crate) fn mask(self) -> u64 {
        self.rows
    }

    /// The rows, ascending.
    #[inline]
    pub(crate) fn rows(self) -> impl Iterator<Item = usize> + Clone {
        let first = self.block() * BLOCK_ROWS;
        let mut left = self.rows;
        core::iter::from_fn(move || {
            (left != 0).then(|| {
                let row = first + left.trailing_zeros() as usize;
                left &= left - 1;
                row
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Row by row, whatever comes of the runs in order is what comes of the calls in order.
        #[test]
        fn they_are_the_calls(calls in proptest::collection::vec((0..200_usize, any::<bool>()), 0..300)) {
            let mut runs = Runs::default();
            for &(row, removes) in &calls {
                if removes { runs.remove(row) } else { runs.put(row) }
            }
            let of_runs: Vec<_> =
                runs.iter().flat_map(|run| run.rows().map(|row| (row, run.removes()))).collect();
            // Values keep their order; of removals, repetitions in a run count once.
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
            prop_assert!(puts.iter().map(|run| run.block()).eq(blocks.iter().copied()));
            prop_assert!(removals.iter().map(|run| run.block()).eq(blocks.iter().rev().copied()));
            prop_assert!(puts.iter().all(|run| !run.removes()));
            prop_assert!(removals.iter().all(|run| run.removes()));
        }
    }
}
