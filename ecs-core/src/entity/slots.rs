//! The table of handles: from the index of an entity to its row.

use core::num::NonZeroU32;

use super::Entity;

/// The state of one index. It takes four bytes, as slots are kept for ever.
///
/// If an entity that is alive has the index, the slot holds its row. The generation lies with the
/// row, so a look-up compares the generation of the handle with that of the entity in the row. A
/// free index has no row. A spare one keeps its next generation here; if the index belongs to a
/// free row, the next generation lies with that row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slot(u32);

/// Marks a free index. Rows and generations are below.
const DEAD: u32 = 1 << 31;

/// The most entities that can exist at once, whatever the limit.
pub(crate) const MAX_ENTITIES: usize = (DEAD - 1) as usize;

/// The last generation of an index.
pub(super) const LAST_GENERATION: NonZeroU32 = NonZeroU32::new(DEAD - 1).unwrap();

impl Slot {
    /// No entity that is alive has the index.
    pub(super) const FREE: Self = Self(DEAD);

    /// The entity with the index lies in this row.
    #[inline(always)]
    pub(super) const fn living(row: usize) -> Self {
        Self(row as u32)
    }

    /// The index is spare; the next entity that gets it has this generation.
    pub(super) const fn spare(next: NonZeroU32) -> Self {
        Self(DEAD | next.get())
    }

    /// The row of the entity that is alive; a number beyond all rows if the index is free.
    #[inline(always)]
    pub(super) const fn row(self) -> usize {
        self.0 as usize
    }

    /// The next generation of a spare index.
    ///
    /// # Panics
    /// If the index is not spare.
    pub(super) fn next_generation(self) -> NonZeroU32 {
        NonZeroU32::new(self.0 ^ DEAD)
            .filter(|&next| next <= LAST_GENERATION)
            .expect("a spare index")
    }
}

/// The table of handles, for look-ups.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Handles<'a> {
    pub(super) slots: &'a [Slot],
    pub(super) rows: &'a [Entity],
}

impl<'a> Handles<'a> {
    /// `rows` are the entities by row. The entities in free rows have free slots.
    pub(super) fn new(slots: &'a [Slot], rows: &'a [Entity]) -> Self {
        Self { slots, rows }
    }

    /// The row of an entity that is alive. O(1).
    #[inline(always)]
    pub(crate) fn row(self, entity: Entity) -> Option<usize> {
        let row = self.slots.get(entity.index() as usize)?.row();
        // A free slot is beyond all rows. Otherwise the entity in the row has this index.
        let lives_there = self.rows.get(row)?;
        (lives_there.generation() == entity.generation()).then_some(row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entity::place::Row;

    #[test]
    fn a_handle_is_good_if_its_entity_lives_in_the_row_of_its_index() {
        let generation = |n| NonZeroU32::new(n).unwrap();
        let rows = [Entity::new(1, generation(3)), Entity::new(0, generation(1))];
        let slots =
            [Slot::FREE, Slot::living(0), Slot::spare(generation(7)), Slot::spare(LAST_GENERATION)];
        let handles = Handles::new(&slots, &rows);
        for index in 0..6 {
            for n in 1..9 {
                let expected = ((index, n) == (1, 3)).then_some(0);
                let entity = Entity::new(index, generation(n));
                assert_eq!(handles.row(entity), expected);
                entity.announce(handles);
                let home = entity.home(handles).filter(|&row| entity.lives_in(row, handles));
                assert_eq!(home, expected);
            }
        }
        assert_eq!(slots[2].next_generation(), generation(7));
        assert_eq!(slots[3].next_generation(), LAST_GENERATION);
    }

    #[test]
    fn a_slot_without_a_spare_index_has_no_generation() {
        for slot in [Slot::FREE, Slot::living(0), Slot::living(MAX_ENTITIES - 1)] {
            assert!(std::panic::catch_unwind(|| slot.next_generation()).is_err());
        }
    }
}
