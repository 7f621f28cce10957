//! The table of handles: from an index to the row of whoever has it.

use core::num::NonZeroU32;

use super::Entity;
use crate::prefetch::prefetch;

/// What is known of one index, in four bytes, as they are kept for ever.
///
/// The row of the living entity that has it. The entity's generation lies there, with the row, so whoever comes with a
/// handle compares it with the entity in the row. A dead index has no row; it keeps its next generation while
/// it is spare. (If a free row has it, the next generation lies with that row.)
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slot(u32);

/// Rows and generations are below.
const DEAD: u32 = 1 << 31;

/// The most entities that can exist at once, whatever the limit says.
pub(crate) const MAX_ENTITIES: usize = (DEAD - 1) as usize;

/// The last generation of an index.
pub(super) const LAST_GENERATION: NonZeroU32 = NonZeroU32::new(DEAD - 1).unwrap();

impl Slot {
    /// No living entity has the index.
    pub(super) const FREE: Self = Self(DEAD);

    /// An entity that has the index lives in the row.
    #[inline(always)]
    pub(super) const fn living(row: usize) -> Self {
        Self(row as u32)
    }

    /// Nobody has the index; whoever gets it next has this generation.
    pub(super) const fn spare(next: NonZeroU32) -> Self {
        Self(DEAD | next.get())
    }

    /// The next generation of a spare index.
    ///
    /// # Panics
    /// If it is not a spare one.
    pub(super) fn next_generation(self) -> NonZeroU32 {
        NonZeroU32::new(self.0 ^ DEAD)
            .filter(|&next| next <= LAST_GENERATION)
            .expect("a spare index")
    }
}

/// The table of handles, to look entities up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Handles<'a> {
    slots: &'a [Slot],
    rows: &'a [Entity],
}

impl<'a> Handles<'a> {
    /// `rows` are the entities by row; those in free rows, who are yet to be, have no living slot.
    pub(super) fn new(slots: &'a [Slot], rows: &'a [Entity]) -> Self {
        Self { slots, rows }
    }

    /// The row of a living entity. O(1).
    #[inline(always)]
    pub(crate) fn row(self, entity: Entity) -> Option<usize> {
        let row = self.slots.get(entity.index() as usize)?.0 as usize;
        // No row has the number that the dead have. Of the living, the entity in the row has this index.
        let lives_there = self.rows.get(row)?;
        (lives_there.generation() == entity.generation()).then_some(row)
    }

    /// Has the processor fetch what [`home`](Self::home) will need.
    #[inline(always)]
    pub(crate) fn announce(self, entity: Entity) {
        prefetch(self.slots.as_ptr().wrapping_add(entity.index() as usize));
    }

    /// The row of whoever has the entity's index, which need not be this entity: [`lives_in`](Self::lives_in) tells,
    /// for which the processor fetches what it will need.
    #[inline(always)]
    pub(crate) fn home(self, entity: Entity) -> Option<usize> {
        let row = self.slots.get(entity.index() as usize)?.0 as usize;
        prefetch(self.rows.as_ptr().wrapping_add(row));
        Some(row)
    }

    /// Whether the entity lives in the row that [`home`](Self::home) told.
    #[inline(always)]
    pub(crate) fn lives_in(self, entity: Entity, row: usize) -> bool {
        self.rows
            .get(row)
            .is_some_and(|lives_there| lives_there.generation() == entity.generation())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
                handles.announce(entity);
                let home = handles.home(entity).filter(|&row| handles.lives_in(entity, row));
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
