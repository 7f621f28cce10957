//! The table of handles: from the index of an entity to its row.

mod encoding;
mod packed;
mod table;

use core::num::NonZeroU32;

pub(super) use encoding::{Encoded, Encoding};
use packed::PackedPages;
pub(super) use packed::{Packed, set};
pub(super) use table::SlotTable;

use super::Entity;

/// The state of one index, in eight bytes, so that a look-up reads one line of the cache. An index is never forgotten, as its
/// generation tells old handles apart; slots of spare indices may be [packed](SlotTable::pack).
///
/// If an entity that is alive has the index, the slot holds its row and its generation. Else its generation is 0, which no
/// handle has. A spare index keeps its next generation in the place of the row. If a free index belongs to a
/// free row, the next generation lies with that row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub(super) struct Slot(u64);

/// Slots of a page of the table: 4 096 bytes, a page of memory on most machines. (Not a page of rows, which has 4 096 of them.)
const PAGE_SLOTS: usize = 512;

/// Words of a set of slots of a page.
const PAGE_WORDS: usize = PAGE_SLOTS / 64;

/// The most entities that can exist at once, whatever the limit.
pub(crate) const MAX_ENTITIES: usize = (1 << 31) - 1;

/// The last generation of an index.
pub(super) const LAST_GENERATION: NonZeroU32 = NonZeroU32::new((1 << 31) - 1).unwrap();

impl Slot {
    /// No living entity has the index, and it is not spare. Or the page of the slot is packed, and the slot is to be read there.
    /// No handle has the generation 0.
    pub(super) const FREE: Self = Self::new(0, 0);

    /// Marks an index that was read of a save, whose slot is free when all are there. No slot of a world is this one.
    #[cfg(feature = "serde")]
    pub(super) const NOTED: Self = Self::new(u32::MAX, 0);

    /// The generation is the lower half, which can be compared without being cut out.
    #[inline(always)]
    const fn new(row: u32, generation: u32) -> Self {
        Self((row as u64) << 32 | generation as u64)
    }

    #[inline(always)]
    const fn row(self) -> u32 {
        (self.0 >> 32) as u32
    }

    #[inline(always)]
    const fn generation(self) -> u32 {
        self.0 as u32
    }

    /// The entity lies in this row.
    #[inline(always)]
    pub(super) const fn living(row: usize, entity: Entity) -> Self {
        Self::new(row as u32, entity.generation().get())
    }

    /// The index is spare; the next entity that gets it has this generation.
    pub(super) const fn spare(next: NonZeroU32) -> Self {
        Self::new(next.get(), 0)
    }

    /// The next generation of a spare index.
    ///
    /// # Panics
    /// If the index is that of a free row, or its page is packed. (That it is not that of a living entity, builds for tests assert.)
    pub(super) fn next_generation(self) -> NonZeroU32 {
        debug_assert!(self.generation() == 0, "a spare index");
        NonZeroU32::new(self.row()).expect("a spare index")
    }
}

/// The table of handles, for look-ups.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Handles<'a> {
    pub(super) slots: &'a [Encoded],
    encoding: Encoding,
    packed: &'a PackedPages,
}

impl Handles<'_> {
    /// The row of an entity that is alive. O(1).
    #[inline(always)]
    pub(crate) fn row(self, entity: Entity) -> Option<usize> {
        let encoded = *self.slots.get(entity.index() as usize)?;
        if let Some(row) = self.encoding.row(encoded, entity) {
            return Some(row);
        }
        // 0 is a free slot in the plain encoding, and its page may be packed. In the other one it is that of another generation, and no
        // page is packed, so `packed` has nothing.
        if encoded == Encoded::ZERO { self.packed.row(entity) } else { None }
    }

    /// The next generation of a spare index.
    ///
    /// # Panics
    /// As [`Slot::next_generation`].
    #[inline(always)]
    pub(super) fn next_generation(self, index: u32) -> NonZeroU32 {
        self.encoding.decode(index as usize, self.slots[index as usize]).next_generation()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entity::place::Row;

    #[test]
    fn a_handle_is_good_if_its_entity_lives() {
        let generation = |n| NonZeroU32::new(n).unwrap();
        let slots = [
            Slot::FREE,
            Slot::living(5, Entity::new(1, generation(3))),
            Slot::spare(generation(7)),
            Slot::spare(LAST_GENERATION),
        ];
        let packed = PackedPages::default();
        for encoding in [Encoding::FROM_FIRST, Encoding::PLAIN] {
            let slots: Vec<Encoded> = slots
                .iter()
                .enumerate()
                .map(|(index, slot)| encoding.encode(index, *slot))
                .collect();
            let handles = Handles { slots: &slots, encoding, packed: &packed };
            for index in 0..6 {
                for n in 1..9 {
                    let entity = Entity::new(index, generation(n));
                    entity.announce(handles);
                    assert_eq!(handles.row(entity), ((index, n) == (1, 3)).then_some(5));
                }
            }
            assert_eq!(handles.row(Entity::new(3, LAST_GENERATION)), None);
            // A handle with bits of its own making.
            for index in 0..4 {
                for n in [1 << 31, 1 << 31 | 7, u32::MAX] {
                    assert_eq!(handles.row(Entity::new(index, generation(n))), None);
                }
            }
        }
        assert_eq!(slots[2].next_generation(), generation(7));
        assert_eq!(slots[3].next_generation(), LAST_GENERATION);
    }

    #[test]
    fn a_slot_without_a_spare_index_has_no_generation() {
        let entity = Entity::new(4, NonZeroU32::MIN);
        for slot in [Slot::FREE, Slot::living(0, entity)] {
            assert!(std::panic::catch_unwind(|| slot.next_generation()).is_err());
        }
    }
}
