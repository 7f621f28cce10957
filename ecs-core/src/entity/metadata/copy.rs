//! Copies and hashes of the entities: indices, generations, rows, and all that determines future
//! ones.

use super::{Entities, Entity, LimitReached};
use crate::rows::{BLOCK_ROWS, BLOCKS_PER_PAGE, PAGE_ROWS};
use crate::types::{StateHash, StateHasher};

impl Entities {
    /// Checks that the entities of `other` fit, in the same rows.
    pub(crate) fn fits(&self, other: &Self) -> Result<(), LimitReached> {
        match other.rows.len().checked_sub(self.most) {
            None | Some(0) => Ok(()),
            Some(lost) => Err(self.limit_reached(lost)),
        }
    }

    /// Reserves the memory for slots that a [copy](Self::copy) of `from` needs.
    ///
    /// # Panics
    /// If the system refuses it. Nothing has changed then.
    pub(crate) fn reserve_like(&mut self, from: &Self) {
        self.slots.reserve_like(&from.slots);
    }

    /// Becomes a copy of `from`, reusing its own memory, and keeps its own limit. `from` must
    /// [fit](Self::fits). In the set of rows in use, only blocks that differ become dirty.
    pub(crate) fn copy(&mut self, from: &Self) {
        let rows = self.rows.len().max(from.rows.len());
        self.slots.copy(&from.slots);
        self.rows.clone_from(&from.rows);
        self.without_index = from.without_index;
        self.spare.copy(&from.spare);
        self.alive.copy(&from.alive, rows.div_ceil(BLOCK_ROWS));
        self.archetypes.copy(&from.archetypes, from.count, from.rows.len());
        debug_assert!(self.spawned.is_empty() && from.spawned.is_empty(), "a refresh is due");
        self.count = from.count;
        // (Under a fixed limit the capacity is the limit already.)
        self.capacity = self.capacity.max(from.count);
    }

    /// Whether this, a copy of `from`, has all that `from` has: if not, what archetypes there are is lost here.
    pub(crate) fn is_whole_copy(&self, from: &Self) -> bool {
        let Self { archetypes, rows, .. } = from;
        self.archetypes.several || !archetypes.several || archetypes.are_united(rows.len())
    }

    /// The number of pages of rows.
    pub(crate) fn pages(&self) -> usize {
        self.rows.len().div_ceil(PAGE_ROWS)
    }

    /// The hash of the entities in this page of rows, and of those that its free rows will get.
    pub(crate) fn hash_page(&self, page: usize) -> u64 {
        let mut hasher = StateHasher::new();
        let rows = page * PAGE_ROWS..self.rows.len().min((page + 1) * PAGE_ROWS);
        self.rows[rows].state_hash(&mut hasher);
        let blocks = page * BLOCKS_PER_PAGE..(page + 1) * BLOCKS_PER_PAGE;
        blocks.for_each(|block| self.alive.word(block).state_hash(&mut hasher));
        hasher.finish()
    }

    /// The entity in this row, and whether it is alive: otherwise it is the next one of a free row, or
    /// [`Entity::NEVER`] if that has no index. `None` if there is no such
    /// row.
    pub(crate) fn state_of(&self, row: usize) -> Option<(Entity, bool)> {
        self.rows.get(row).map(|&entity| (entity, self.alive.contains(row)))
    }

    /// Hashes what else distinguishes two sets of entities, now or after any steps. The limit
    /// is left out, except for whether rows lie by archetype. The free rows follow from the rows in
    /// use.
    pub(crate) fn hash_rest(&self, hasher: &mut StateHasher) {
        self.rows.len().state_hash(hasher);
        self.spare.state_hash(hasher);
        self.archetypes.state_hash(hasher);
        self.slots.len().state_hash(hasher);
        // The generations of the other indices are hashed with their rows.
        for index in self.spare.iter() {
            self.slots.get(index).next_generation().state_hash(hasher);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Runs steps of spawns, and of despawns of the entities in the rows of a mask.
    fn go_on(
        entities: &mut Entities,
        steps: &[(usize, u64)],
    ) -> Vec<(crate::entity::Entity, usize)> {
        let mut spawned = Vec::new();
        for &(spawns, deaths) in steps {
            spawned.extend((0..spawns).map(|_| entities.create(0).unwrap()));
            for block in 0..3 {
                let dead = deaths.rotate_left(block as u32) & entities.alive().word(block);
                entities.reclaim(block, dead);
            }
            entities.refill(|_, _| {});
            entities.begin_step();
        }
        spawned
    }

    impl Entities {
        pub(in crate::entity) fn hash(&self) -> u64 {
            let mut hasher = StateHasher::new();
            (0..self.pages()).for_each(|page| self.hash_page(page).state_hash(&mut hasher));
            self.hash_rest(&mut hasher);
            hasher.finish()
        }
    }

    proptest! {
        #[test]
        fn a_copy_goes_on_like_the_original(
            [before, elsewhere, after] in [(); 3].map(|()| {
                proptest::collection::vec((0..60_usize, any::<u64>()), 0..9)
            }),
        ) {
            let mut original = Entities::dynamic(0);
            go_on(&mut original, &before);
            for mut copy in [Entities::dynamic(10), Entities::fixed(2000)] {
                go_on(&mut copy, &elsewhere);
                copy.copy(&original);
                prop_assert_eq!(copy.hash(), original.hash());
                let mut other = Entities::dynamic(1);
                other.copy(&original);
                prop_assert_eq!(go_on(&mut copy, &after), go_on(&mut other, &after));
                prop_assert_eq!(copy.hash(), other.hash());
                prop_assert_eq!(copy.rows(), other.rows());
            }
        }
    }

    #[test]
    fn what_only_shows_later_is_in_the_hash() {
        // In both worlds two entities are despawned and their indices are spare, but in one an
        // index was reused.
        let ends = [0, 1].map(|again| {
            let mut entities = Entities::dynamic(0);
            let spawned: Vec<_> = (0..3).map(|_| entities.create(0).unwrap().0).collect();
            let reclaim = |entities: &mut Entities, entity| {
                let row = entities.row(entity).unwrap();
                entities.reclaim(0, 1 << row);
                entities.refill(|_, _| {});
                entities.begin_step();
            };
            entities.refill(|_, _| {});
            entities.begin_step();
            reclaim(&mut entities, spawned[2]);
            for _ in 0..again {
                let (entity, _) = entities.create(0).unwrap();
                entities.begin_step();
                reclaim(&mut entities, entity);
            }
            (entities.count(), entities.rows().to_vec(), entities.hash())
        });
        assert_eq!((ends[0].0, &ends[0].1), (ends[1].0, &ends[1].1));
        assert_ne!(ends[0].2, ends[1].2);
    }

    #[test]
    fn in_which_order_others_died_is_not() {
        let ends = [[1, 2], [2, 1]].map(|order| {
            let mut entities = Entities::dynamic(0);
            let spawned: Vec<_> = (0..3).map(|_| entities.create(0).unwrap().0).collect();
            entities.begin_step();
            for which in order {
                let row = entities.row(spawned[which]).unwrap();
                entities.reclaim(0, 1 << row);
                entities.refill(|_, _| {});
            }
            (entities.hash(), go_on(&mut entities, &[(3, 0)]))
        });
        assert_eq!(ends[0], ends[1]);
    }
}
