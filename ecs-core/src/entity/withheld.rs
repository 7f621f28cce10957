//! Rows of entities that were despawned immediately, withheld until the refresh.
//!
//! A sequential system despawns immediately. Subscriptions may still contain such a row, and
//! changes may be staged for it. So until the refresh it is neither free nor in use. The refresh
//! then frees it like any marked row.

use super::metadata::Entities;
use super::slots::Slot;

impl Entities {
    /// Despawns the entity of the row immediately. The row and the index stay out of use until they
    /// are [given back](Self::give_back). O(1), amortized.
    ///
    /// # Panics
    /// If the row is not in use.
    pub(crate) fn withhold(&mut self, row: usize) {
        assert!(self.alive.remove(row), "no entity is in the row");
        // The generation stays: the handle is invalid as the index has no row.
        self.slots.set(self.rows[row].index(), Slot::FREE);
        self.withheld.add(row);
        self.withheld_count += 1;
    }

    /// The withheld rows, as numbers and masks of blocks.
    pub(crate) fn withheld_rows(&self) -> impl Iterator<Item = (usize, u64)> + '_ {
        self.withheld.iter()
    }

    /// Makes the withheld rows count as in use again, so that the refresh can free them. Calls `f`
    /// with each block of them, as a number and a mask. Handles to them stay invalid. O(blocks).
    pub(crate) fn give_back(&mut self, mut f: impl FnMut(usize, u64)) {
        for (block, rows) in self.withheld.drain() {
            self.alive.add(block, rows);
            f(block, rows);
        }
        self.withheld_count = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neither_row_nor_index_is_used_again_before_it_is_given_back() {
        let mut entities = Entities::fixed(200);
        let old: Vec<_> = (0..130).map(|_| entities.create(0).unwrap()).collect();
        for row in [3, 64, 70, 129] {
            entities.withhold(row);
            assert_eq!(entities.row(old[row].0), None);
        }
        assert_eq!((entities.count(), entities.rows().len()), (126, 130));
        let (spawned, row) = entities.create(0).unwrap();
        assert_eq!((row, spawned.index()), (130, 130), "behind all");
        let mut given = Vec::new();
        entities.give_back(|block, rows| given.push((block, rows)));
        assert_eq!(given, [(0, 1 << 3), (1, 1 | 1 << 6), (2, 1 << 1)]);
        assert!(old[3..4].iter().all(|(entity, _)| entities.row(*entity).is_none()));
        for (block, rows) in given {
            entities.reclaim(block, rows);
        }
        assert_eq!(entities.count(), 127);
        for row in [3, 64, 70, 129, 131] {
            let (spawned, lowest) = entities.create(0).unwrap();
            assert_eq!(lowest, row);
            assert!(old.iter().all(|(entity, _)| *entity != spawned));
        }
    }

    #[test]
    fn they_count_against_a_fixed_limit() {
        let mut entities = Entities::fixed(2);
        entities.create(0).unwrap();
        let (last, row) = entities.create(0).unwrap();
        entities.withhold(row);
        assert!(entities.create(0).is_err());
        entities.give_back(|block, rows| assert_eq!((block, rows), (0, 1 << 1)));
        assert_eq!(entities.row(last), None);
        entities.reclaim(0, 1 << row);
        assert!(entities.create(0).is_ok());
    }

    #[test]
    fn a_later_block_is_searched_without_them() {
        let mut entities = Entities::dynamic(0);
        for _ in 0..256 {
            entities.create(0).unwrap();
        }
        for row in 0..128 {
            entities.reclaim_row(row);
        }
        entities.withhold(130);
        for _ in 0..128 {
            entities.create(0).unwrap();
        }
        assert_eq!(entities.create(0).unwrap().1, 256);
    }
}
